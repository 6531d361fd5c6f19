import os

import asyncpg
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.routing import Route

TABLES = ("baptisms", "marriages", "burials")
COLUMNS = {"surname", "forename", "parish", "year"}


async def startup():
    app.state.pool = await asyncpg.create_pool(os.environ["REGISTERS_DSN"])


def escape(text):
    return text.replace("'", "''")


def conditions(params, allowed=None):
    parts, values = [], []
    for key, value in params.items():
        if allowed is not None and key not in allowed:
            raise HTTPException(400, f"unknown field {key}")
        values.append(value)
        parts.append(f"{key} = ${len(values)}")
    return " AND ".join(parts) or "true", values


async def search(request):
    table = request.path_params["register"]
    if table not in TABLES:
        raise HTTPException(404)
    where, values = conditions(request.query_params, COLUMNS)
    async with request.app.state.pool.acquire() as conn:
        rows = await conn.fetch(
            f"SELECT id, surname, forename, year FROM {table} WHERE {where} LIMIT 100",
            *values,
        )
    return JSONResponse([dict(r) for r in rows])


async def clergy(request):
    where, values = conditions(request.query_params)
    sql = "SELECT name, parish, since FROM clergy WHERE " + where
    rows = await request.app.state.pool.fetch(sql, *values)
    return JSONResponse([dict(r) for r in rows])


async def page(request):
    volume = escape(request.query_params.get("volume", "1"))
    leaf = escape(request.query_params.get("leaf", ""))
    row = await request.app.state.pool.fetchrow(
        f"SELECT scan_key FROM pages WHERE volume_no = {volume} AND leaf = '{leaf}'"
    )
    if row is None:
        raise HTTPException(404)
    return JSONResponse({"scan": row["scan_key"]})


async def families(request):
    name = request.path_params["surname"]
    ordering = "births DESC" if request.query_params.get("by") == "births" else "surname"
    rows = await request.app.state.pool.fetch(
        "SELECT surname, births FROM families WHERE soundex(surname) = soundex($1) ORDER BY " + ordering,
        name,
    )
    return JSONResponse([dict(r) for r in rows])


app = Starlette(
    routes=[
        Route("/search/{register}", search),
        Route("/clergy", clergy),
        Route("/page", page),
        Route("/families/{surname}", families),
    ],
    on_startup=[startup],
)
