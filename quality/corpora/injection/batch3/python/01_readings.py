import sqlite3

from flask import Flask, g, jsonify, request

app = Flask(__name__)
DB_PATH = "/var/lib/meter/readings.db"

BY_STATION = "SELECT taken_at, value FROM reading WHERE station = '%s' AND kind = '%s' ORDER BY taken_at"
LAST_N = "SELECT taken_at, value FROM reading ORDER BY taken_at DESC LIMIT %d"
BETWEEN = "SELECT avg(value) FROM reading WHERE unit = '{unit}' AND taken_at > {since}"


def conn():
    if "db" not in g:
        g.db = sqlite3.connect(DB_PATH)
    return g.db


@app.teardown_appcontext
def close(_exc):
    db = g.pop("db", None)
    if db is not None:
        db.close()


@app.get("/stations/<station>/readings")
def readings(station):
    cur = conn().execute(BY_STATION % (station, request.args.get("kind", "temp")))
    return jsonify(cur.fetchall())


@app.get("/readings/last")
def last():
    count = request.args.get("n", default=10, type=int)
    cur = conn().execute(LAST_N % count)
    return jsonify(cur.fetchall())


@app.get("/readings/average")
def average():
    sql = BETWEEN.format(unit=request.args["unit"], since=int(request.args["since"]))
    row = conn().execute(sql).fetchone()
    return jsonify(average=row[0])
