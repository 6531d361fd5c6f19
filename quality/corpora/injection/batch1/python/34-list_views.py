import pymysql
import pymysql.converters
from aiohttp import web

routes = web.RouteTableDef()


def connect():
    return pymysql.connect(host="db", database="lists", cursorclass=pymysql.cursors.DictCursor)


@routes.get("/lists")
async def lists(request):
    sort = pymysql.converters.escape_string(request.query.get("sort", "id"))
    with connect() as con, con.cursor() as cur:
        cur.execute(f"SELECT * FROM list ORDER BY {sort}")
        return web.json_response(cur.fetchall())


@routes.get("/lists/{id}")
async def one(request):
    number = request.match_info["id"].replace("'", "''")
    with connect() as con, con.cursor() as cur:
        cur.execute("SELECT * FROM list WHERE id = " + number)
        return web.json_response(cur.fetchone())


@routes.get("/lists/sorted")
async def sorted_lists(request):
    sort = request.query.get("sort", "id")
    columns = {"id", "name", "created"}
    if sort not in columns:
        raise web.HTTPBadRequest()
    with connect() as con, con.cursor() as cur:
        cur.execute(f"SELECT * FROM list ORDER BY `{sort}`")
        return web.json_response(cur.fetchall())


@routes.get("/lists/page")
async def page(request):
    limit = pymysql.converters.escape_string(request.query.get("limit", "10"))
    with connect() as con, con.cursor() as cur:
        cur.execute("SELECT * FROM list LIMIT %s" % limit)
        return web.json_response(cur.fetchall())


app = web.Application()
app.add_routes(routes)
