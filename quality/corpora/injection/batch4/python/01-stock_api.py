import csv
import io
import sqlite3

from flask import Flask, Response, g, jsonify, request

app = Flask(__name__)
app.config["DATABASE"] = "/var/lib/stock/stock.db"

SORT_COLUMNS = {"sku": "items.sku", "qty": "items.quantity", "added": "items.added_at"}
DIRECTIONS = {"up": "ASC", "down": "DESC"}


def db():
    if "db" not in g:
        g.db = sqlite3.connect(app.config["DATABASE"])
        g.db.row_factory = sqlite3.Row
    return g.db


@app.teardown_appcontext
def close_db(_exc):
    conn = g.pop("db", None)
    if conn is not None:
        conn.close()


def paging():
    size = min(int(request.args.get("size", 25)), 200)
    page = max(int(request.args.get("page", 1)), 1)
    return f" LIMIT {size} OFFSET {(page - 1) * size}"


@app.get("/items")
def list_items():
    column = SORT_COLUMNS.get(request.args.get("sort"), "items.sku")
    direction = DIRECTIONS.get(request.args.get("dir", "up"), "ASC")
    statement = "SELECT sku, quantity FROM items ORDER BY " + column + " " + direction + paging()
    rows = db().execute(statement).fetchall()
    return jsonify([dict(r) for r in rows])


@app.get("/items/export")
def export_items():
    key = request.args.get("sort", "sku")
    column = SORT_COLUMNS.get(key, key)
    rows = db().execute("SELECT sku, quantity, added_at FROM items ORDER BY %s" % column)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["sku", "quantity", "added"])
    writer.writerows(tuple(r) for r in rows)
    return Response(out.getvalue(), mimetype="text/csv")


@app.get("/movements")
def movements():
    skus = request.args.getlist("sku")
    marks = ",".join("?" * len(skus))
    rows = db().execute(f"SELECT sku, delta, moved_at FROM movements WHERE sku IN ({marks})", skus)
    return jsonify([dict(r) for r in rows])


@app.get("/movements/summary")
def movement_summary():
    names = [w.strip() for w in request.args.get("warehouses", "").split(",") if w.strip()]
    clause = " OR ".join("warehouse = '%s'" % w for w in names) or "1 = 1"
    rows = db().execute(
        "SELECT warehouse, SUM(delta) AS total FROM movements WHERE " + clause + " GROUP BY warehouse"
    )
    return jsonify({r["warehouse"]: r["total"] for r in rows})


if __name__ == "__main__":
    app.run(port=8080)
