import asyncio
import shlex
import subprocess

from aiohttp import web

routes = web.RouteTableDef()


async def shell(line: str) -> str:
    proc = await asyncio.create_subprocess_shell(
        line, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    out, _ = await asyncio.wait_for(proc.communicate(), timeout=20)
    return out.decode("utf-8", "replace")


@routes.get("/whois")
async def whois(request: web.Request) -> web.Response:
    domain = request.query["domain"].strip()
    text = await shell(f'whois "{domain}" | head -n 60')
    return web.Response(text=text)


@routes.get("/mx")
async def mx(request: web.Request) -> web.Response:
    domain = shlex.quote(request.query["domain"])
    proc = await asyncio.create_subprocess_shell(
        "printf '%s\\n' " + domain + " | idn2 | xargs -r host -t MX --", stdout=asyncio.subprocess.PIPE
    )
    out, _ = await proc.communicate()
    return web.Response(text=out.decode())


@routes.post("/flush")
async def flush(request: web.Request) -> web.Response:
    data = await request.post()
    zone = "'" + data["zone"] + "'"
    code = await asyncio.to_thread(subprocess.call, f"rndc flush {zone}", shell=True)
    return web.json_response({"code": code})


def make_app() -> web.Application:
    app = web.Application()
    app.add_routes(routes)
    return app


if __name__ == "__main__":
    web.run_app(make_app(), port=8088)
