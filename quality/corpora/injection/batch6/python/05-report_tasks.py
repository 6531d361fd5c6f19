import os
import uuid

import psycopg2
from celery import Celery
from celery.utils.log import get_task_logger
from flask import Flask, jsonify, request

celery = Celery("reports", broker="redis://queue:6379/0")
web = Flask(__name__)
log = get_task_logger(__name__)

OUT = "/srv/reports/out"
LAYOUTS = "/srv/reports/layouts"


def connect():
    return psycopg2.connect(os.environ["REPORT_DSN"])


@web.post("/reports")
def start():
    body = request.get_json()
    job = build_report.delay(
        source=body["source"],
        year=body["year"],
        layout=body.get("layout", "plain.html"),
        title=body.get("title", ""),
    )
    return jsonify(job=job.id), 202


@celery.task(bind=True, max_retries=2)
def build_report(self, source, year, layout, title):
    year = int(year)
    with connect() as conn, conn.cursor() as cur:
        cur.execute(f"SELECT region, sum(amount) FROM {source} GROUP BY region")
        totals = cur.fetchall()
        cur.execute(f"SELECT count(*) FROM closings_{year}")
        closings = cur.fetchone()[0]
        cur.execute(
            "INSERT INTO report_log (task, title, closings) VALUES (%s, %s, %s)",
            (self.request.id, title, closings),
        )

    with open(LAYOUTS + "/" + layout, encoding="utf-8") as fh:
        page = fh.read()

    rows = "".join(f"<tr><td>{r}</td><td>{s}</td></tr>" for r, s in totals)
    page = page.replace("<!--rows-->", rows)

    key = uuid.uuid4().hex
    html_path = os.path.join(OUT, key + ".html")
    with open(html_path, "w", encoding="utf-8") as fh:
        fh.write(page)

    escaped = title.replace('"', '\\"')
    command = f'wkhtmltopdf --title "{escaped}" {html_path} {OUT}/{key}.pdf'
    code = os.system(command)
    log.info("report %s finished with %s", key, code)
    return key
