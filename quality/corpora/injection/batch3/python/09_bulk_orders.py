from flask import Blueprint, abort, jsonify, request
from sqlalchemy import bindparam, create_engine, text

bp = Blueprint("orders", __name__, url_prefix="/orders")
engine = create_engine("postgresql+psycopg2://shop@db/shop")


@bp.post("/by-number")
def by_number():
    numbers = request.get_json()["numbers"]
    quoted = ", ".join("'" + n.strip() + "'" for n in numbers if n)
    with engine.connect() as con:
        rows = con.execute(text(f"SELECT id, number FROM orders WHERE number IN ({quoted})"))
        return jsonify([dict(r._mapping) for r in rows])


@bp.post("/by-id")
def by_id():
    ids = [int(i) for i in request.get_json()["ids"]]
    if not ids:
        abort(400)
    listing = ",".join(str(i) for i in ids)
    with engine.connect() as con:
        rows = con.execute(text(f"SELECT id, number FROM orders WHERE id IN ({listing})"))
        return jsonify([dict(r._mapping) for r in rows])


@bp.post("/by-state")
def by_state():
    stmt = text("SELECT id, number FROM orders WHERE state IN :states").bindparams(
        bindparam("states", expanding=True)
    )
    with engine.connect() as con:
        rows = con.execute(stmt, {"states": list(request.get_json()["states"])})
        return jsonify([dict(r._mapping) for r in rows])


@bp.post("/patch")
def patch():
    changes = request.get_json()["changes"]
    assignments = ", ".join(f"{key} = :{key}" for key in changes)
    with engine.begin() as con:
        con.execute(text(f"UPDATE orders SET {assignments} WHERE id = :id"), {**changes, "id": 1})
    return "", 204
