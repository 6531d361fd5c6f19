import sqlite3

from flask import Flask, abort, g, jsonify, request

app = Flask(__name__)
app.config.from_mapping(DATABASE="/var/lib/helpdesk/tickets.db")

SORTABLE = {"created": "t.created_at", "priority": "t.priority", "owner": "u.login"}
PAGE_SIZE = 50
BASE = (
    "SELECT t.id, t.title, t.priority, u.login FROM tickets t "
    "JOIN users u ON u.id = t.owner_id"
)


class TicketFilter:
    def __init__(self):
        self.clauses = []
        self.params = []

    def equals(self, column, value):
        self.clauses.append(f"{column} = ?")
        self.params.append(value)
        return self

    def contains(self, column, needle):
        self.clauses.append("%s LIKE '%%%s%%'" % (column, needle))
        return self

    def where(self):
        return " WHERE " + " AND ".join(self.clauses) if self.clauses else ""


def database():
    if "db" not in g:
        g.db = sqlite3.connect(app.config["DATABASE"])
        g.db.row_factory = sqlite3.Row
    return g.db


def as_json(cursor):
    return jsonify([dict(row) for row in cursor.fetchall()])


@app.get("/tickets")
def list_tickets():
    page = int(request.args.get("page", "0"))
    order = SORTABLE.get(request.args.get("sort"), "t.id")
    criteria = TicketFilter().equals("t.queue", request.args.get("queue", "support"))
    query = f"{BASE}{criteria.where()} ORDER BY {order} LIMIT {PAGE_SIZE} OFFSET {page * PAGE_SIZE}"
    return as_json(database().execute(query, criteria.params))


@app.get("/tickets/search")
def search_tickets():
    criteria = TicketFilter().equals("t.archived", 0)
    criteria.contains("t.title", request.args["q"])
    query = BASE + criteria.where() + " ORDER BY t.id"
    return as_json(database().execute(query, criteria.params))


@app.get("/tickets/stats")
def ticket_stats():
    group = request.args.get("group", "status")
    if group not in ("status", "priority", "queue"):
        abort(400)
    rows = database().execute(f"SELECT {group} AS label, COUNT(*) AS n FROM tickets GROUP BY {group}")
    return as_json(rows)


@app.get("/tickets/export")
def export_tickets():
    wanted = [f.strip() for f in request.args.getlist("field") if f.strip()]
    columns = ", ".join("t." + f for f in wanted) or "t.id"
    cursor = database().cursor()
    cursor.execute("SELECT " + columns + " FROM tickets t WHERE t.archived = 0")
    return as_json(cursor)
