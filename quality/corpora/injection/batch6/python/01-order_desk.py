import os
import sqlite3

from flask import Flask, abort, g, jsonify, request, send_file

app = Flask(__name__)
DATABASE = os.environ.get("ORDER_DB", "/var/lib/orderdesk/orders.db")
INVOICE_DIR = "/var/lib/orderdesk/invoices"

SORTABLE = {
    "date": "created_at",
    "total": "total_cents",
    "customer": "customer_name",
}


def get_db():
    if "db" not in g:
        g.db = sqlite3.connect(DATABASE)
        g.db.row_factory = sqlite3.Row
    return g.db


@app.teardown_appcontext
def close_db(exc):
    db = g.pop("db", None)
    if db is not None:
        db.close()


@app.get("/orders")
def list_orders():
    sort = SORTABLE.get(request.args.get("sort", "date"), "created_at")
    direction = "DESC" if request.args.get("dir") == "desc" else "ASC"
    limit = min(int(request.args.get("limit", 50)), 200)
    rows = get_db().execute(
        f"SELECT id, customer_name, total_cents FROM orders ORDER BY {sort} {direction} LIMIT {limit}"
    ).fetchall()
    return jsonify([dict(r) for r in rows])


@app.get("/orders/search")
def search_orders():
    clauses = ["archived = 0"]
    params = []
    term = request.args.get("q", "").strip()
    if term:
        clauses.append("customer_name LIKE ?")
        params.append(f"%{term}%")
    status = request.args.get("status")
    if status:
        clauses.append("status = '%s'" % status)
    sql = "SELECT id, customer_name, status FROM orders WHERE " + " AND ".join(clauses)
    rows = get_db().execute(sql, params).fetchall()
    return jsonify([dict(r) for r in rows])


@app.get("/customers/<name>/orders")
def customer_orders(name):
    query = "SELECT id, total_cents FROM orders WHERE customer_name = ?"
    if request.args.get("open"):
        query += " AND status = 'open'"
    rows = get_db().execute(query, (name,)).fetchall()
    return jsonify([dict(r) for r in rows])


@app.get("/invoices/<int:number>")
def invoice(number):
    path = os.path.join(INVOICE_DIR, f"INV-{number:06d}.pdf")
    if not os.path.exists(path):
        abort(404)
    return send_file(path, mimetype="application/pdf")


@app.get("/invoices/attachment")
def invoice_attachment():
    path = os.path.join(INVOICE_DIR, "attachments", request.args["file"])
    if not os.path.isfile(path):
        abort(404)
    return send_file(path, as_attachment=True)


if __name__ == "__main__":
    app.run(port=8071)
