from flask import Flask, request, jsonify
from sqlalchemy import bindparam, create_engine, text

engine = create_engine("postgresql+psycopg2://billing@db/billing")
app = Flask(__name__)


@app.get("/invoices")
def invoices():
    numbers = request.args.getlist("no")
    quoted = ", ".join("'%s'" % n for n in numbers)
    with engine.connect() as c:
        rows = c.execute(text(f"SELECT no, total FROM invoice WHERE no IN ({quoted})"))
        return jsonify([dict(r._mapping) for r in rows])


@app.get("/invoices/ids")
def invoices_by_id():
    ids = [int(x) for x in request.args.get("ids", "").split(",") if x.isdigit()]
    listing = ",".join(str(i) for i in ids) or "0"
    with engine.connect() as c:
        rows = c.execute(text("SELECT no, total FROM invoice WHERE id IN (" + listing + ")"))
        return jsonify([dict(r._mapping) for r in rows])


@app.get("/customers")
def customers():
    wanted = {k: v for k, v in request.args.items() if k in ("city", "plan")}
    cond = " AND ".join(f"{k} = '{v}'" for k, v in wanted.items()) or "true"
    with engine.begin() as c:
        rows = c.exec_driver_sql("SELECT id, name FROM customer WHERE " + cond)
        return jsonify([list(r) for r in rows])


@app.get("/customers/plans")
def by_plans():
    stmt = text("SELECT id FROM customer WHERE plan IN :plans").bindparams(bindparam("plans", expanding=True))
    with engine.connect() as c:
        return jsonify([r[0] for r in c.execute(stmt, {"plans": request.args.getlist("p")})])
