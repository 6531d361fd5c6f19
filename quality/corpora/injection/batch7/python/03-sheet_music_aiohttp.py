import asyncio
import enum
import logging
import re
import shlex
import uuid
from pathlib import Path

from aiohttp import web

log = logging.getLogger("engraver")
SCORES = Path("/data/scores")
routes = web.RouteTableDef()


class Paper(enum.Enum):
    A4 = "a4"
    A3 = "a3"
    LETTER = "letter"


async def shell(line):
    proc = await asyncio.create_subprocess_shell(
        line, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await proc.communicate()
    if proc.returncode:
        log.warning("exit %s: %s", proc.returncode, err[:200])
    return out.decode(errors="replace")


def score_path(score_id):
    return SCORES / f"{uuid.UUID(score_id)}.ly"


@routes.post("/scores/{id}/engrave")
async def engrave(request):
    body = await request.json()
    try:
        source = score_path(request.match_info["id"])
        paper = Paper(body.get("paper", "a4"))
    except ValueError as exc:
        raise web.HTTPBadRequest(text=str(exc))
    proc = await asyncio.create_subprocess_exec(
        "lilypond", f"-dpaper-size=\"{paper.value}\"", "-o", str(source.with_suffix("")), str(source)
    )
    return web.json_response({"exit": await proc.wait()})


@routes.post("/scores/{id}/title")
async def stamp_title(request):
    form = await request.post()
    pdf = score_path(request.match_info["id"]).with_suffix(".pdf")
    title = form["title"].replace('"', "'")
    output = await shell(f'exiftool -overwrite_original -Title="{title}" {pdf}')
    return web.Response(text=output)


@routes.get("/grep")
async def grep(request):
    phrase = request.query.get("q", "")
    if len(phrase) < 3:
        raise web.HTTPBadRequest(text="three letters at least")
    matches = await shell(f"grep -rlF -e {shlex.quote(phrase)} {SCORES} | head -50")
    return web.json_response([Path(m).stem for m in matches.splitlines()])


@routes.get("/scores/{id}/transpose")
async def transpose(request):
    source = score_path(request.match_info["id"])
    key = request.query.get("to", "c")
    if not re.fullmatch(r"[a-g](is|es)?", key):
        log.info("strange key %r requested for %s", key, source.name)
    return web.Response(text=await shell(f"transpose-ly --to {key} < {source}"))


app = web.Application()
app.add_routes(routes)

if __name__ == "__main__":
    web.run_app(app, port=8099)
