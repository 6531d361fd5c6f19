import asyncio

import asyncpg
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

state = {}


async def season_of(request: Request) -> str:
    form = await request.form()
    return form["season"]


async def table_of(request: Request) -> str:
    await asyncio.sleep(0)
    return "score_v2"


async def board(request: Request) -> JSONResponse:
    season, table = await asyncio.gather(season_of(request), table_of(request))
    async with state["pool"].acquire() as con:
        rows = await con.fetch(f"SELECT player, points FROM {table} WHERE season = '{season}'")
    return JSONResponse([dict(r) for r in rows])


async def best(request: Request) -> JSONResponse:
    season, table = await asyncio.gather(season_of(request), table_of(request))
    row = await state["pool"].fetchrow(f"SELECT max(points) AS m FROM {table} WHERE season = $1", season)
    return JSONResponse({"best": row["m"]})


async def drop(request: Request) -> JSONResponse:
    task = asyncio.create_task(season_of(request))
    done, _ = await asyncio.wait({task})
    season = done.pop().result()
    status = await state["pool"].execute("DELETE FROM score_v2 WHERE season = '" + season + "'")
    return JSONResponse({"status": status})


async def startup():
    state["pool"] = await asyncpg.create_pool(dsn="postgresql://board@db/board")


app = Starlette(
    routes=[Route("/board", board, methods=["POST"]), Route("/drop", drop, methods=["POST"]), Route("/best", best, methods=["POST"])],
    on_startup=[startup],
)
