from datetime import datetime
from enum import Enum

import asyncpg
from fastapi import Depends, FastAPI, Header, Query, Request, WebSocket
from pydantic import BaseModel

app = FastAPI(title="audit")


class SortField(str, Enum):
    occurred_at = "occurred_at"
    actor = "actor"
    severity = "severity"


class ExportRequest(BaseModel):
    since: datetime
    columns: list[str] = ["id", "actor", "action"]


@app.on_event("startup")
async def open_pool():
    app.state.pool = await asyncpg.create_pool(dsn="postgresql:///audit")


def region_scope(x_region: str = Header("eu-west")):
    return f"region = '{x_region}'"


async def pool(request: Request):
    return request.app.state.pool


@app.get("/events")
async def list_events(
    sort: SortField = SortField.occurred_at,
    limit: int = Query(100, le=1000),
    db=Depends(pool),
):
    sql = f"SELECT id, actor, action FROM events ORDER BY {sort.value} LIMIT {limit}"
    return [dict(r) for r in await db.fetch(sql)]


@app.get("/events/summary")
async def summary(scope: str = Depends(region_scope), db=Depends(pool)):
    sql = f"SELECT action, count(*) AS n FROM events WHERE {scope} GROUP BY action"
    return {r["action"]: r["n"] for r in await db.fetch(sql)}


@app.post("/events/export")
async def export(body: ExportRequest, db=Depends(pool)):
    projection = ", ".join(c.lower() for c in body.columns)
    async with db.acquire() as conn:
        rows = await conn.fetch(
            f"SELECT {projection} FROM events WHERE occurred_at >= $1",
            body.since,
        )
    return [dict(r) for r in rows]


@app.get("/events/by-actor")
async def by_actor(actor: list[str] = Query(...), db=Depends(pool)):
    holders = ", ".join(f"${i}" for i, _ in enumerate(actor, start=1))
    return [dict(r) for r in await db.fetch(f"SELECT * FROM events WHERE actor IN ({holders})", *actor)]


@app.websocket("/events/live")
async def live(socket: WebSocket):
    await socket.accept()
    async with socket.app.state.pool.acquire() as conn:
        while True:
            message = await socket.receive_json()
            topic, *rest = message["subscribe"].split(":", 1)
            severity = rest[0] if rest else "info"
            count = await conn.fetchval(
                "SELECT count(*) FROM events WHERE topic = $1 AND severity = '" + severity + "'", topic
            )
            await socket.send_json({"topic": topic, "backlog": count})
