import base64
import enum
import os

import psycopg2
import psycopg2.extras
from ariadne import QueryType, gql, make_executable_schema
from ariadne.asgi import GraphQL

type_defs = gql("""
    type Product { id: ID! name: String! price: Float! }
    type Query {
        products(ids: [ID!]!): [Product!]!
        page(after: String, size: Int = 20): [Product!]!
        tagged(tags: [String!]!, any: Boolean = true): [Product!]!
        ranked(by: String = "price"): [Product!]!
    }
""")
query = QueryType()


class Ranking(enum.Enum):
    PRICE = "price"
    NAME = "name"
    NEWEST = "created_at"


def connect():
    return psycopg2.connect(os.environ["CATALOG_DSN"], cursor_factory=psycopg2.extras.RealDictCursor)


def decode_cursor(value, default="0|0"):
    plain = base64.urlsafe_b64decode(value).decode() if value else default
    price, _, identity = plain.partition("|")
    return price, identity


@query.field("products")
def resolve_products(_, info, ids):
    marks = ", ".join(["%s"] * len(ids)) or "NULL"
    with connect() as conn, conn.cursor() as cur:
        cur.execute("SELECT id, name, price FROM products WHERE id::text IN (" + marks + ")", ids)
        return cur.fetchall()


@query.field("page")
def resolve_page(_, info, after=None, size=20):
    price, identity = decode_cursor(after)
    statement = (
        f"SELECT id, name, price FROM products WHERE (price, id) > ({price}, {identity}) "
        "ORDER BY price, id LIMIT %s"
    )
    with connect() as conn, conn.cursor() as cur:
        cur.execute(statement, (size,))
        return cur.fetchall()


@query.field("tagged")
def resolve_tagged(_, info, **args):
    operator = "&&" if args.get("any", True) else "@>"
    literals = ",".join(map("'{}'".format, args["tags"]))
    with connect() as conn, conn.cursor() as cur:
        cur.execute(f"SELECT id, name, price FROM products WHERE tags {operator} ARRAY[{literals}]")
        return cur.fetchall()


@query.field("ranked")
def resolve_ranked(_, info, by="price"):
    ranking = Ranking(by)
    with connect() as conn, conn.cursor() as cur:
        cur.execute(f"SELECT id, name, price FROM products ORDER BY {ranking.value} LIMIT 100")
        return cur.fetchall()


app = GraphQL(make_executable_schema(type_defs, query))
