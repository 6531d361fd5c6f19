from flask import Flask, request
import mysql.connector

app = Flask(__name__)
CURRENT = {"db": "shop"}
last_query = None


def remember():
    global last_query
    last_query = request.args.get("q", "")


def connect():
    return mysql.connector.connect(host="db", database=CURRENT["db"])


@app.before_request
def before():
    remember()


@app.get("/find")
def find():
    cnx = connect()
    cur = cnx.cursor()
    cur.execute("SELECT id, title FROM products WHERE title LIKE '%" + last_query + "%'")
    out = {"items": cur.fetchall()}
    cur.execute("SELECT count(*) FROM " + CURRENT["db"] + ".products")
    out["total"] = cur.fetchone()[0]
    cnx.close()
    return out
