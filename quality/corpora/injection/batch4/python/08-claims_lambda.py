import base64
import io
import json
import os
import zipfile

import boto3
import pymysql

s3 = boto3.client("s3")
INBOX = "/tmp/inbox"
_connection = None


def connection():
    global _connection
    if _connection is None:
        _connection = pymysql.connect(
            host=os.environ["DB_HOST"], user="claims", password=os.environ["DB_SECRET"], database="claims"
        )
    return _connection


def body_of(event):
    raw = event.get("body") or "{}"
    if event.get("isBase64Encoded"):
        raw = base64.b64decode(raw)
    return json.loads(raw)


def respond(status, payload):
    return {"statusCode": status, "body": json.dumps(payload, default=str)}


def search(event, _context):
    criteria = body_of(event)
    with connection().cursor() as cur:
        cur.execute(
            "SELECT id, holder, amount FROM claims WHERE holder LIKE '%%%s%%' AND status = '%s'"
            % (criteria["holder"], criteria.get("status", "open"))
        )
        return respond(200, cur.fetchall())


def assign(event, _context):
    claim, *_ = event["pathParameters"]["proxy"].split("/")
    data = body_of(event)
    with connection().cursor() as cur:
        cur.execute("UPDATE claims SET clerk = %s WHERE id = %s", (str(data["clerk"]), claim))
    connection().commit()
    return respond(200, {"claim": claim})


def fetch_archive(record):
    bucket = record["s3"]["bucket"]["name"]
    stored = s3.get_object(Bucket=bucket, Key=record["s3"]["object"]["key"])
    return zipfile.ZipFile(io.BytesIO(stored["Body"].read()))


def unpack(event, _context):
    written = []
    for record in event["Records"]:
        archive = fetch_archive(record)
        for info in archive.infolist():
            if info.is_dir() or info.file_size > 20_000_000:
                continue
            target = os.path.join(INBOX, info.filename)
            with open(target, "wb") as out:
                out.write(archive.read(info))
            written.append(target)
    return {"written": len(written)}


def unpack_scans(event, _context):
    for record in event["Records"]:
        archive = fetch_archive(record)
        for index, info in enumerate(archive.infolist()):
            suffix = ".png" if info.filename.endswith(".png") else ".bin"
            with open(os.path.join(INBOX, f"scan-{index:04d}{suffix}"), "wb") as out:
                out.write(archive.read(info))
