from bottle import Bottle, request, response
import mysql.connector

app = Bottle()


def connection():
    return mysql.connector.connect(host="db", user="meters", database="meters")


@app.get("/readings")
def readings():
    meter = int(request.query.meter)
    days = float(request.query.days or 7)
    conn = connection()
    cur = conn.cursor(dictionary=True)
    cur.execute("SELECT at, kwh FROM readings WHERE meter = %d AND age < %f" % (meter, days))
    rows = cur.fetchall()
    conn.close()
    return {"rows": rows}


@app.get("/tariffs")
def tariffs():
    raw = request.query.zone
    zone = int(raw) if raw.isdigit() else 0
    conn = connection()
    cur = conn.cursor()
    cur.execute("SELECT price FROM tariffs WHERE zone = '" + raw + "'")
    rows = cur.fetchall()
    conn.close()
    response.set_header("X-Zone", str(zone))
    return {"rows": rows}


@app.post("/readings/<meter>/note")
def note(meter):
    number = request.forms.get("number") or "0"
    conn = connection()
    cur = conn.cursor()
    cur.execute(f"UPDATE readings SET note_no = {number} WHERE meter = {int(meter)}")
    conn.commit()
    conn.close()
    return {}


app.run(host="0.0.0.0", port=8081)
