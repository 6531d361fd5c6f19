import pyodbc
from flask import Flask, jsonify, request

app = Flask(__name__)
DSN = "DSN=plant"


@app.get("/measurements")
def measurements():
    sensor = request.args["sensor"]
    since = request.args.get("since", "2020-01-01")
    con = pyodbc.connect(DSN)
    cur = con.cursor()
    cur.execute("SELECT ts, value FROM m WHERE sensor = '" + sensor + "' AND ts >= ?", since)
    return jsonify([[str(r.ts), r.value] for r in cur.fetchall()])


@app.post("/measurements")
def add():
    body = request.get_json()
    con = pyodbc.connect(DSN)
    cur = con.cursor()
    points = [(body["sensor"], p["ts"], p["value"]) for p in body["points"]]
    cur.executemany("INSERT INTO m(sensor, ts, value) VALUES (?, ?, ?)", points)
    con.commit()
    return jsonify(stored=len(points)), 201
