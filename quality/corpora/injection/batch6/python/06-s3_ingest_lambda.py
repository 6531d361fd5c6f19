import hashlib
import json
import os
from urllib.parse import unquote_plus

import boto3
import psycopg2
from psycopg2 import sql

s3 = boto3.client("s3")
SCRATCH = "/tmp/ingest"
STAGES = ("raw", "clean", "final")

_conn = None


def conn():
    global _conn
    if _conn is None or _conn.closed:
        _conn = psycopg2.connect(os.environ["DSN"])
    return _conn


def on_upload(event, context):
    done = []
    for record in event["Records"]:
        bucket = record["s3"]["bucket"]["name"]
        key = unquote_plus(record["s3"]["object"]["key"])
        body = s3.get_object(Bucket=bucket, Key=key)["Body"].read()

        local = os.path.join(SCRATCH, key)
        with open(local, "wb") as fh:
            fh.write(body)

        digest = hashlib.sha256(key.encode()).hexdigest()
        with open(os.path.join(SCRATCH, digest), "wb") as fh:
            fh.write(body)
        done.append(digest)
    return {"done": done}


def on_message(event, context):
    with conn() as c, c.cursor() as cur:
        for record in event["Records"]:
            payload = json.loads(record["body"])
            dataset = payload["dataset"]
            cur.execute(
                sql.SQL("INSERT INTO {} (body) VALUES (%s)").format(sql.Identifier(dataset)),
                [json.dumps(payload["data"])],
            )
            attribute = record["messageAttributes"]["mirror"]["stringValue"]
            cur.execute(
                "INSERT INTO " + attribute + " (body) VALUES (%s)",
                [json.dumps(payload["data"])],
            )


def list_rows(event, context):
    args = event.get("queryStringParameters") or {}
    stage = args.get("stage", "raw")
    if stage not in STAGES:
        return {"statusCode": 400, "body": "unknown stage"}
    order = args.get("order", "id")
    if ";" in order or "--" in order:
        return {"statusCode": 400, "body": "bad order"}
    with conn() as c, c.cursor() as cur:
        cur.execute(f"SELECT count(*) FROM rows_{stage}")
        total = cur.fetchone()[0]
        cur.execute(f"SELECT id, body FROM items ORDER BY {order} LIMIT 100")
        rows = cur.fetchall()
    return {"statusCode": 200, "body": json.dumps({"total": total, "rows": rows}, default=str)}
