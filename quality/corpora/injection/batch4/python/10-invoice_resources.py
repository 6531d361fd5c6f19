import functools

import falcon
from sqlalchemy import Column, Integer, Numeric, String, create_engine, select, text
from sqlalchemy.orm import Session, declarative_base

engine = create_engine("postgresql+psycopg://billing@db/billing")
Base = declarative_base()

FILTERABLE = ("number", "customer", "currency")
SORTABLE = {"number", "total"}


class Invoice(Base):
    __tablename__ = "invoices"
    id = Column(Integer, primary_key=True)
    number = Column(String)
    customer = Column(String)
    currency = Column(String)
    total = Column(Numeric)


class InvoiceQuery:
    def __init__(self):
        self._parts = []

    def equals(self, column, value):
        self._parts.append(f"{column} = '{value}'")
        return self

    def __str__(self):
        tail = " AND ".join(self._parts)
        return "SELECT id, number, total FROM invoices" + (f" WHERE {tail}" if tail else "")


def with_criteria(handler):
    @functools.wraps(handler)
    def wrapper(self, req, resp):
        criteria = {k: v for k, v in req.params.items() if k in FILTERABLE}
        with Session(engine) as session:
            handler(self, req, resp, session, criteria)
    return wrapper


class InvoiceCollection:
    @with_criteria
    def on_get(self, req, resp, session, criteria):
        query = InvoiceQuery()
        for column, value in criteria.items():
            query.equals(column, value)
        rows = session.execute(text(str(query)))
        resp.media = [dict(r._mapping) for r in rows]


class InvoiceLookup:
    @with_criteria
    def on_get(self, req, resp, session, criteria):
        where = " AND ".join(f"{c} = :{c}" for c in FILTERABLE if c in criteria) or "true"
        rows = session.execute(text("SELECT id, number FROM invoices WHERE " + where), criteria)
        resp.media = [dict(r._mapping) for r in rows]


class InvoiceTable:
    def on_get(self, req, resp):
        column = req.get_param("sort", default="number")
        if column not in SORTABLE:
            raise falcon.HTTPBadRequest(title="sort")
        with Session(engine) as session:
            rows = session.scalars(select(Invoice).order_by(text(column + " DESC")))
            resp.media = [r.number for r in rows]

    def on_post(self, req, resp):
        order = req.media.get("order") or "id"
        with Session(engine) as session:
            rows = session.query(Invoice).order_by(text(order)).limit(50)
            resp.media = [r.number for r in rows]


app = falcon.App()
app.add_route("/invoices", InvoiceCollection())
app.add_route("/invoices/lookup", InvoiceLookup())
app.add_route("/invoices/table", InvoiceTable())
