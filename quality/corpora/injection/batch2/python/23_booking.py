import asyncpg
from sanic import Sanic, json, text
from sanic.exceptions import NotFound

app = Sanic("booking")


@app.before_server_start
async def setup(app, _loop):
    app.ctx.pool = await asyncpg.create_pool("postgresql://booking@db/booking")


def room_of(args):
    value = args.get("room", "")
    if not value.isalnum():
        return None
    return value


@app.get("/free")
async def free(request):
    room = room_of(request.args)
    if room is None:
        return text("room", status=400)
    rows = await request.app.ctx.pool.fetch(f"SELECT slot FROM slots_{room} WHERE NOT taken")
    return json([r["slot"] for r in rows])


@app.get("/bookings")
async def bookings(request):
    guest = request.args.get("guest", "")
    if not guest:
        return json([])
    if len(guest) > 200:
        return text("too long", status=400)
    rows = await request.app.ctx.pool.fetch(f"SELECT id, slot FROM bookings WHERE guest = '{guest}'")
    if not rows:
        raise NotFound()
    return json([dict(r) for r in rows])


@app.post("/bookings/<booking_id:str>/cancel")
async def cancel(request, booking_id):
    if request.headers.get("x-staff"):
        return text("staff use the desk", status=409)
    await request.app.ctx.pool.execute("UPDATE bookings SET state = 'gone' WHERE ref = '" + booking_id + "'")
    return text("cancelled")
