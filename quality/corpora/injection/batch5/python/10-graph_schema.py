from typing import Optional

import psycopg
import strawberry
from psycopg import sql
from psycopg.rows import class_row
from strawberry.fastapi import GraphQLRouter

DSN = "dbname=library"


@strawberry.type
class Book:
    id: int
    title: str
    status: str


@strawberry.input
class BookFilter:
    author: Optional[str] = None
    language: Optional[str] = None
    year: Optional[int] = None


def conditions(criteria: BookFilter):
    yield "deleted_at IS NULL"
    for field, value in vars(criteria).items():
        if value is None:
            continue
        yield f"{field} = {value}" if isinstance(value, int) else f"{field} = '{value}'"


@strawberry.type
class Query:
    @strawberry.field
    def books(self, criteria: BookFilter) -> list[Book]:
        where = " AND ".join(conditions(criteria))
        with psycopg.connect(DSN) as conn, conn.cursor(row_factory=class_row(Book)) as cur:
            cur.execute(sql.SQL(f"SELECT id, title, status FROM books WHERE {where}"))
            return cur.fetchall()

    @strawberry.field
    def shelf(self, name: str, order_by: str = "title") -> list[Book]:
        statement = sql.SQL("SELECT id, title, status FROM books WHERE shelf = %s ORDER BY {}").format(
            sql.Identifier(order_by)
        )
        with psycopg.connect(DSN) as conn, conn.cursor(row_factory=class_row(Book)) as cur:
            return cur.execute(statement, [name]).fetchall()

    @strawberry.field
    def book(self, id: strawberry.ID) -> Optional[Book]:
        with psycopg.connect(DSN) as conn, conn.cursor(row_factory=class_row(Book)) as cur:
            return cur.execute(f"SELECT id, title, status FROM books WHERE id = {id}").fetchone()

    @strawberry.field
    def pick(self, ids: list[strawberry.ID]) -> list[Book]:
        numbers = sorted({int(i) for i in ids}) or [0]
        listed = ",".join(map(str, numbers))
        with psycopg.connect(DSN) as conn, conn.cursor(row_factory=class_row(Book)) as cur:
            return cur.execute("SELECT id, title, status FROM books WHERE id IN (" + listed + ")").fetchall()


@strawberry.type
class Mutation:
    @strawberry.mutation
    def annotate(self, id: int, note: str) -> int:
        escaped = note.replace("'", "\\'")
        with psycopg.connect(DSN) as conn:
            statement = "UPDATE books SET note = '{}' WHERE id = {}".format(escaped, id)
            return conn.execute(statement).rowcount


router = GraphQLRouter(strawberry.Schema(query=Query, mutation=Mutation))
