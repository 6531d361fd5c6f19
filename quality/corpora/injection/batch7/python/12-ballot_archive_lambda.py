import hashlib
import json
import os
import subprocess
import tempfile
from urllib.parse import unquote_plus

import boto3
import pymysql

s3 = boto3.client("s3")
rds = boto3.client("rds-data")
WORK = "/tmp/ballots"


def database():
    return pymysql.connect(
        host=os.environ["DB_HOST"], user="archive", password=os.environ["DB_PASS"], database="ballots"
    )


def fetch(bucket, key):
    local = os.path.join(WORK, key)
    s3.download_file(bucket, key, local)
    return local


def fetch_hashed(bucket, key):
    local = os.path.join(tempfile.gettempdir(), hashlib.sha1(key.encode()).hexdigest())
    with open(local, "wb") as out:
        s3.download_fileobj(bucket, key, out)
    return local


def unpack(local):
    folder = tempfile.mkdtemp(dir="/tmp")
    subprocess.run(f"tar xf {local} -C {folder}", shell=True, check=True)
    return folder


def on_upload(event, context):
    summary = []
    for record in event["Records"]:
        bucket = record["s3"]["bucket"]["name"]
        key = unquote_plus(record["s3"]["object"]["key"])
        if key.endswith(".tar"):
            summary.append({"key": key, "folder": unpack(fetch(bucket, key))})
        elif key.endswith(".csv"):
            with open(fetch_hashed(bucket, key)) as table:
                rows = [line.rstrip("\n").split(",") for line in table]
            with database() as conn, conn.cursor() as cur:
                cur.executemany(
                    "INSERT INTO tallies (ward, party, votes) VALUES (%s, %s, %s)", rows
                )
                conn.commit()
            summary.append({"key": key, "rows": len(rows)})
    return summary


def on_query(event, context):
    answers = []
    for record in event["Records"]:
        body = json.loads(record["body"])
        if body["kind"] == "ward":
            answer = rds.execute_statement(
                resourceArn=os.environ["CLUSTER"],
                secretArn=os.environ["SECRET"],
                sql="SELECT party, votes FROM tallies WHERE ward = :ward",
                parameters=[{"name": "ward", "value": {"stringValue": body["ward"]}}],
            )
        else:
            year = record["messageAttributes"]["year"]["stringValue"]
            answer = rds.execute_statement(
                resourceArn=os.environ["CLUSTER"],
                secretArn=os.environ["SECRET"],
                sql="SELECT party, SUM(votes) FROM tallies WHERE year = " + year + " GROUP BY party",
            )
        answers.append(answer.get("records"))
    return answers
