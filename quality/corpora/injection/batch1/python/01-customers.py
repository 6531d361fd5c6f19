import sqlite3

from flask import Flask, g, jsonify, request

app = Flask(__name__)


def db():
    if "db" not in g:
        g.db = sqlite3.connect("/var/lib/crm/crm.db")
        g.db.row_factory = sqlite3.Row
    return g.db


def like(column, needle):
    return "%s LIKE '%%%s%%'" % (column, needle)


def clause(args):
    parts = ["deleted = 0"]
    if args.get("name"):
        parts.append(like("name", args["name"]))
    return " AND ".join(parts)


@app.route("/customers")
def customers():
    rows = db().execute("SELECT id, name FROM customers WHERE " + clause(request.args)).fetchall()
    return jsonify([dict(r) for r in rows])


@app.route("/customers/stats")
def stats():
    row = db().execute("SELECT count(*) AS n FROM customers WHERE " + clause({})).fetchone()
    return jsonify(n=row["n"])
