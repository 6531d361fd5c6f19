import asyncio
import os
import re
from datetime import datetime, timezone

from aiohttp import web

BACKUP_ROOT = "/var/backups/agent"
LABEL = re.compile(r"[a-z][a-z0-9_]{0,30}")

routes = web.RouteTableDef()


def stamp() -> str:
    return datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%S")


def checked_label(raw: str) -> str:
    if not LABEL.fullmatch(raw):
        raise web.HTTPBadRequest(text="bad label")
    return raw


async def shell(line: str):
    proc = await asyncio.create_subprocess_shell(line, stdout=asyncio.subprocess.PIPE)
    out, _ = await proc.communicate()
    return proc.returncode, out.decode()


@routes.post("/dump")
async def dump(request: web.Request):
    body = await request.json()
    database = body["database"]
    target = f"{BACKUP_ROOT}/{stamp()}.sql.gz"
    code, _ = await shell(f"pg_dump --no-owner {database} | gzip > {target}")
    return web.json_response({"code": code, "file": os.path.basename(target)})


@routes.post("/snapshot/{label}")
async def snapshot(request: web.Request):
    label = checked_label(request.match_info["label"])
    line = f"tar -C /etc -czf {BACKUP_ROOT}/{label}-{stamp()}.tgz ."
    proc = await asyncio.create_subprocess_shell(line)
    await proc.wait()
    return web.json_response({"code": proc.returncode})


@routes.get("/download")
async def download(request: web.Request):
    name = os.path.basename(request.query.get("name", ""))
    if not name.endswith(".tgz"):
        raise web.HTTPNotFound()
    full = os.path.join(BACKUP_ROOT, name)
    if not os.path.exists(full):
        raise web.HTTPNotFound()
    return web.FileResponse(full)


@routes.post("/notes")
async def save_note(request: web.Request):
    body = await request.json()
    folder = body.get("folder", "misc").replace("../", "")
    target = os.path.join(BACKUP_ROOT, "notes", folder, stamp() + ".txt")
    with open(target, "w", encoding="utf-8") as fh:
        fh.write(body.get("text", ""))
    return web.Response(status=201)


def make_app() -> web.Application:
    app = web.Application(client_max_size=2**20)
    app.add_routes(routes)
    return app


if __name__ == "__main__":
    web.run_app(make_app(), port=9100)
