import io

import pymysql
from flask import Blueprint, current_app, jsonify, request

bp = Blueprint("reports", __name__)


def open_db():
    return pymysql.connect(
        host=current_app.config["DB_HOST"],
        user=current_app.config["DB_USER"],
        password=current_app.config["DB_PASSWORD"],
        database="sales",
    )


@bp.get("/sales")
def sales():
    buf = io.StringIO()
    buf.write("SELECT region, SUM(amount) FROM sales WHERE 1 = 1")
    region = request.args.get("region")
    if region:
        buf.write(f" AND region = '{region}'")
    buf.write(" GROUP BY region")

    con = open_db()
    try:
        with con.cursor() as cur:
            cur.execute(buf.getvalue())
            return jsonify(cur.fetchall())
    finally:
        con.close()
