import sqlite3
from flask import Flask, request, jsonify, g

app = Flask(__name__)


def get_db():
    if "db" not in g:
        g.db = sqlite3.connect("/srv/inventory/stock.db")
    return g.db


def run(sql, args=()):
    return get_db().execute(sql, args).fetchall()


def param(name, fallback=""):
    return request.args.get(name, fallback).strip()


@app.route("/items")
def items():
    shelf = param("shelf")
    rows = run("SELECT sku, qty FROM items WHERE shelf = '" + shelf + "'")
    return jsonify(rows)


@app.route("/items/low")
def low():
    limit = param("limit", "5")
    rows = get_db().execute("SELECT sku, qty FROM items WHERE qty < ?", (limit,)).fetchall()
    return jsonify(rows)


@app.teardown_appcontext
def close(_exc):
    db = g.pop("db", None)
    if db is not None:
        db.close()
