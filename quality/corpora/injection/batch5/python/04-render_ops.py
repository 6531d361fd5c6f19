import asyncio
import shlex

from aiohttp import web

routes = web.RouteTableDef()
RENDER_LOG = "/var/log/render/current.log"
TIMEOUT = 20


async def drain(process):
    try:
        out, _ = await asyncio.wait_for(process.communicate(), TIMEOUT)
    except asyncio.TimeoutError:
        process.kill()
        raise web.HTTPGatewayTimeout()
    return out.decode("utf-8", "replace")


@routes.get("/log/count")
async def count_matches(request):
    term = request.query["term"]
    process = await asyncio.create_subprocess_shell(
        f"grep -F -c -e {shlex.quote(term)} {RENDER_LOG}",
        stdout=asyncio.subprocess.PIPE,
    )
    return web.Response(text=await drain(process))


@routes.get("/log/remote")
async def remote_matches(request):
    term = shlex.quote(request.query["term"])
    command = f'ssh render01 "tail -n 500 {RENDER_LOG} | grep -F -e {term}"'
    process = await asyncio.create_subprocess_shell(
        command,
        stdout=asyncio.subprocess.PIPE,
    )
    return web.Response(text=await drain(process))


@routes.get("/nodes/{node}/load")
async def node_load(request):
    node = request.match_info["node"]
    if any(ch in node for ch in ";|&`$ "):
        raise web.HTTPBadRequest()
    argv = ["ssh", node, "uptime"]
    process = await asyncio.create_subprocess_exec(*argv, stdout=asyncio.subprocess.PIPE)
    return web.Response(text=await drain(process))


@routes.post("/preview")
async def preview_frame(request):
    body = await request.json()
    try:
        shot, frame = int(body["shot"]), int(body["frame"])
    except (KeyError, TypeError, ValueError):
        raise web.HTTPUnprocessableEntity()
    source = f"/mnt/shots/{shot:06d}/master.mov"
    target = f"/mnt/previews/{shot:06d}-{frame}.png"
    process = await asyncio.create_subprocess_shell(
        f"ffmpeg -y -i {source} -vf 'select=eq(n\\,{frame})' -vframes 1 {target} 2>&1",
        stdout=asyncio.subprocess.PIPE,
    )
    return web.json_response({"log": await drain(process)})


def main():
    app = web.Application()
    app.add_routes(routes)
    web.run_app(app, port=8090)


if __name__ == "__main__":
    main()
