import pyramid.httpexceptions as exc
import sqlite3
from pyramid.config import Configurator
from pyramid.view import view_config


def connect():
    return sqlite3.connect("/var/lib/gallery/gallery.db")


@view_config(route_name="pictures", renderer="json")
def pictures(request):
    direction = "DESC" if request.params.get("dir") == "desc" else "ASC"
    match request.params.get("by"):
        case "date":
            column = "taken_at"
        case "size":
            column = "bytes"
        case _:
            raise exc.HTTPBadRequest()
    con = connect()
    return con.execute(f"SELECT id FROM pictures ORDER BY {column} {direction}").fetchall()


@view_config(route_name="albums", renderer="json")
def albums(request):
    by = request.params.get("by")
    column = by if by else "name"
    con = connect()
    return con.execute(f"SELECT id FROM albums ORDER BY {column}").fetchall()


def make_app():
    with Configurator() as config:
        config.add_route("pictures", "/pictures")
        config.add_route("albums", "/albums")
        config.scan()
        return config.make_wsgi_app()
