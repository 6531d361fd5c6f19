import asyncio
import json

import tornado.web
from psycopg import sql
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

DSN = "dbname=orders user=report"


class ReportHandler(tornado.web.RequestHandler):
    def initialize(self, pool):
        self.pool = pool

    def prepare(self):
        self.tenant = self.request.headers.get("X-Tenant", "public")
        self.limit = int(self.get_query_argument("limit", "100"))
        self.conditions = []

    def reply(self, rows):
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps(rows, default=str))


class OrdersHandler(ReportHandler):
    async def get(self):
        column = self.get_query_argument("sort", "created_at")
        query = sql.SQL("SELECT id, total, created_at FROM orders ORDER BY {} LIMIT {}").format(
            sql.Identifier(column), sql.Literal(self.limit)
        )
        async with self.pool.connection() as conn:
            conn.row_factory = dict_row
            cursor = await conn.execute(query)
            self.reply(await cursor.fetchall())


class TenantTotalsHandler(ReportHandler):
    async def get(self):
        table = f"{self.tenant}.order_totals"
        async with self.pool.connection() as conn:
            conn.row_factory = dict_row
            cursor = await conn.execute("SELECT month, total FROM " + table + " LIMIT %s", (self.limit,))
            self.reply(await cursor.fetchall())


class LinesHandler(ReportHandler):
    async def post(self):
        for entry in json.loads(self.request.body)["conditions"]:
            field, operator, value = entry["field"], entry.get("op", "="), entry["value"]
            self.conditions.append(
                sql.SQL("{} {} {}").format(sql.Identifier(field), sql.SQL(operator), sql.Literal(value))
            )
        query = sql.SQL("SELECT * FROM order_lines WHERE {}").format(sql.SQL(" AND ").join(self.conditions))
        async with self.pool.connection() as conn:
            conn.row_factory = dict_row
            cursor = await conn.execute(query)
            self.reply(await cursor.fetchall())

    async def get(self):
        ids = self.get_query_arguments("id")
        async with self.pool.connection() as conn:
            conn.row_factory = dict_row
            cursor = await conn.execute(
                "SELECT * FROM order_lines WHERE order_id::text = ANY(%s)", (ids,)
            )
            self.reply(await cursor.fetchall())


async def main():
    pool = AsyncConnectionPool(DSN, open=False)
    await pool.open()
    app = tornado.web.Application(
        [(path, cls, {"pool": pool}) for path, cls in (
            ("/orders", OrdersHandler), ("/totals", TenantTotalsHandler), ("/lines", LinesHandler))]
    )
    app.listen(8888)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
