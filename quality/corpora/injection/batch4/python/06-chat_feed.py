import contextlib
import os

import asyncpg
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect


@contextlib.asynccontextmanager
async def lifespan(app):
    app.state.pool = await asyncpg.create_pool(os.environ["CHAT_DSN"])
    yield
    await app.state.pool.close()


def escape(value):
    return str(value).replace("'", "''")


def serialise(rows):
    return [{k: str(v) for k, v in row.items()} for row in rows]


async def by_channel(pool, channel_id):
    return await pool.fetch(
        f"SELECT id, author, body FROM messages WHERE channel_id = {escape(channel_id)} LIMIT 50"
    )


async def sorted_members(pool, columns):
    ordering = ", ".join(c for c in columns if isinstance(c, str) and len(c) < 40)
    parts = ["SELECT nick, joined_at FROM members"]
    if ordering:
        parts += ["ORDER BY", ordering]
    return await pool.fetch(" ".join(parts))


async def answer(pool, message):
    match message:
        case {"op": "search", "term": str(term)}:
            return await pool.fetch("SELECT id, body FROM messages WHERE body ILIKE $1", f"%{term}%")
        case {"op": "channel", "id": channel_id}:
            return await by_channel(pool, channel_id)
        case {"op": "archive", "year": int(year)}:
            return await pool.fetch(f"SELECT id, body FROM messages_archive WHERE year = {year}")
        case {"op": "members", "sort": [*columns]}:
            return await sorted_members(pool, columns)
        case {"op": "mentions", "nick": nick, **rest}:
            before = rest.get("before")
            query = "SELECT id, body FROM mentions WHERE nick = $1"
            if before:
                query += f" AND created_at < '{before}'"
            return await pool.fetch(query, nick)
        case _:
            return []


async def feed(ws: WebSocket):
    await ws.accept()
    pool = ws.app.state.pool
    try:
        while True:
            message = await ws.receive_json()
            rows = await answer(pool, message)
            await ws.send_json({"op": message.get("op"), "rows": serialise(rows)})
    except WebSocketDisconnect:
        return


app = Starlette(routes=[WebSocketRoute("/feed", feed)], lifespan=lifespan)
