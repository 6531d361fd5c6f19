import base64
import hashlib
import json
import logging
import os
from urllib.parse import unquote

import psycopg2

logger = logging.getLogger()
TEMPLATE_DIR = "/opt/templates"
LOCALES = {"en": "en_GB", "de": "de_DE", "fr": "fr_FR"}
_connection = None


def connection():
    global _connection
    if _connection is None or _connection.closed:
        _connection = psycopg2.connect(os.environ["DATABASE_DSN"])
    return _connection


def decode_body(event):
    raw = event.get("body") or "{}"
    if event.get("isBase64Encoded"):
        raw = base64.b64decode(raw).decode("utf-8")
    return json.loads(raw)


def run_command(command):
    with connection() as conn, conn.cursor() as cursor:
        match command:
            case {"action": "describe", "table": str(table)}:
                cursor.execute(f"SELECT count(*), max(updated_at) FROM {table}")
                return list(map(str, cursor.fetchone()))
            case {"action": "purge", "days": int(days)} if days > 0:
                cursor.execute(f"DELETE FROM sessions WHERE seen < now() - interval '{days} days'")
                return cursor.rowcount
            case _:
                raise ValueError("unknown command")


def render(event):
    language = (event.get("headers") or {}).get("accept-language", "en")[:2]
    locale = LOCALES.get(language, "en_GB")
    page = unquote(event["pathParameters"]["page"])
    with open(os.path.join(TEMPLATE_DIR, locale, page), encoding="utf-8") as handle:
        return handle.read()


def keep_attachment(event):
    body = decode_body(event)
    digest = hashlib.sha256(body["name"].encode()).hexdigest()
    path = f"/tmp/{digest}.bin"
    with open(path, "wb") as handle:
        handle.write(base64.b64decode(body["content"]))
    return digest


def handler(event, context):
    try:
        match event["httpMethod"], event["resource"]:
            case "GET", "/pages/{page}":
                result = render(event)
            case "POST", "/commands":
                result = run_command(decode_body(event))
            case "PUT", "/attachments":
                result = keep_attachment(event)
            case _:
                return {"statusCode": 404}
    except (KeyError, ValueError) as exc:
        logger.warning("rejected: %s", exc)
        return {"statusCode": 400}
    return {"statusCode": 200, "body": json.dumps(result)}
