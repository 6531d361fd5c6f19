import json
import os
import subprocess

import boto3

s3 = boto3.client("s3")
BUCKET = os.environ["BUCKET"]


def fetch(key):
    local = "/tmp/source"
    s3.download_file(BUCKET, key, local)
    return local


def handler(event, context):
    results = []
    for record in event["Records"]:
        job = json.loads(record["body"])
        source = fetch(job["key"])
        subprocess.run(
            ["ffmpeg", "-y", "-i", source, "-metadata", "title=" + job["title"], "/tmp/out.mp4"],
            check=True,
        )
        subprocess.run(["sh", "-c", "ffmpeg -i /tmp/out.mp4 -vf scale=" + job["scale"] + " /tmp/s.mp4"])
        sidecar = "/tmp/" + job["key"].replace(" ", "_") + ".json"
        with open(sidecar, "w") as fh:
            json.dump({"title": job["title"]}, fh)
        results.append(sidecar)
    return {"count": len(results)}
