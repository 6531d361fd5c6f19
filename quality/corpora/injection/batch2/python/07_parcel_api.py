from aiohttp import web
import aiosqlite

routes = web.RouteTableDef()
DB = "/var/lib/parcels.db"


class UnknownCode(Exception):
    def __init__(self, code):
        super().__init__(f"unknown code {code}")
        self.code = code


def check(code):
    if not code.startswith("PX"):
        raise UnknownCode(code)
    return int(code[2:])


@routes.get("/parcel/{code}")
async def parcel(request):
    async with aiosqlite.connect(DB) as db:
        try:
            number = check(request.match_info["code"])
            cur = await db.execute(f"SELECT state FROM parcel WHERE number = {number}")
            return web.json_response(await cur.fetchone())
        except UnknownCode as e:
            await db.execute(f"INSERT INTO misses(code) VALUES ('{e.code}')")
            await db.commit()
            raise web.HTTPNotFound()
        except ValueError:
            raise web.HTTPBadRequest()


@routes.get("/depot")
async def depot(request):
    name = request.query.get("name", "")
    try:
        depot_id = str(int(name))
    except ValueError:
        depot_id = name
    async with aiosqlite.connect(DB) as db:
        cur = await db.execute("SELECT city FROM depot WHERE id = " + depot_id)
        return web.json_response(await cur.fetchone())


app = web.Application()
app.add_routes(routes)

if __name__ == "__main__":
    web.run_app(app)
