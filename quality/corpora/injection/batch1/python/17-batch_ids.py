from aiohttp import web
import asyncpg


async def lookup(request):
    raw = request.query.get("ids", "")
    ids = [int(part) for part in raw.split(",") if part.strip()]
    if not ids:
        return web.json_response([])
    joined = ",".join(str(i) for i in ids)
    async with request.app["pool"].acquire() as con:
        found = await con.fetch(f"SELECT id, name FROM devices WHERE id IN ({joined})")
    return web.json_response([dict(r) for r in found])


async def lookup_serials(request):
    raw = request.query.get("serials", "")
    joined = ",".join("'" + s.upper() + "'" for s in raw.split(",") if s)
    async with request.app["pool"].acquire() as con:
        found = await con.fetch(f"SELECT id, name FROM devices WHERE serial IN ({joined})")
    return web.json_response([dict(r) for r in found])


async def make_app():
    app = web.Application()
    app["pool"] = await asyncpg.create_pool(dsn="postgresql://db/devices")
    app.router.add_get("/devices", lookup)
    app.router.add_get("/devices/serial", lookup_serials)
    return app


if __name__ == "__main__":
    web.run_app(make_app())
