import os
import subprocess

from starlette.applications import Starlette
from starlette.responses import FileResponse, PlainTextResponse
from starlette.routing import Route

THEMES = {"light": "light.css", "dark": "dark.css", "print": "print.css"}
TASKS = ("minify", "bundle", "lint")


async def theme(request):
    name = request.path_params["name"]
    if name not in THEMES:
        return PlainTextResponse("unknown", status_code=404)
    return FileResponse(os.path.join("/srv/css", THEMES[name]))


async def task(request):
    name = request.query_params.get("task", "")
    if name not in TASKS:
        return PlainTextResponse("unknown", status_code=400)
    code = subprocess.call("npm run " + name, shell=True, cwd="/srv/css")
    return PlainTextResponse(str(code))


async def custom(request):
    name = request.query_params.get("file", "")
    return FileResponse(os.path.join("/srv/css", THEMES.get(name, name)))


app = Starlette(routes=[Route("/theme/{name}", theme), Route("/task", task), Route("/custom", custom)])
