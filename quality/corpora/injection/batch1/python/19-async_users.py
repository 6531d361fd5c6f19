import asyncio

import aiosqlite
from fastapi import FastAPI, WebSocket

app = FastAPI()


async def build(nick: str) -> str:
    await asyncio.sleep(0)
    return "SELECT id FROM users WHERE nick = '" + nick + "'"


async def count(con) -> int:
    async with con.execute("SELECT count(*) FROM users") as cur:
        (n,) = await cur.fetchone()
        return n


@app.websocket("/presence")
async def presence(ws: WebSocket):
    await ws.accept()
    async with aiosqlite.connect("/var/lib/chat/chat.db") as con:
        await ws.send_json({"users": await count(con)})
        while True:
            message = await ws.receive_json()
            sql = await build(message["nick"])
            async with con.execute(sql) as cur:
                row = await cur.fetchone()
            await ws.send_json({"online": row is not None})
