import asyncio
import ipaddress
import json
import shlex
from asyncio.subprocess import PIPE

from aiohttp import web

routes = web.RouteTableDef()
ACCESS_LOG = "/var/log/edge/access.log"


async def collect(proc):
    out, err = await asyncio.wait_for(proc.communicate(), timeout=20)
    return {"code": proc.returncode, "out": out.decode(errors="replace"), "err": err.decode(errors="replace")}


async def shell_probe(template, **values):
    quoted = {k: json.dumps(v) for k, v in values.items()}
    line = template.format(**quoted)
    proc = await asyncio.create_subprocess_shell(line, stdout=PIPE, stderr=PIPE)
    return await collect(proc)


@routes.post("/probe/tls")
async def probe_tls(request):
    body = await request.json()
    result = await shell_probe(
        "echo | openssl s_client -connect {target} -servername {sni} | openssl x509 -noout -dates",
        target=body["target"],
        sni=body.get("sni", body["target"]),
    )
    return web.json_response(result)


@routes.get("/probe/hits")
async def probe_hits(request):
    term = request.query.get("term", "")
    line = "grep -c -F -e " + shlex.quote(term) + " " + ACCESS_LOG + " | tr -d '\\n'"
    proc = await asyncio.create_subprocess_shell(line, stdout=PIPE, stderr=PIPE)
    return web.json_response(await collect(proc))


@routes.get("/probe/ping")
async def probe_ping(request):
    try:
        address = ipaddress.IPv4Address(request.query["ip"])
        count = int(request.query.get("count", "3"))
    except (KeyError, ValueError):
        raise web.HTTPBadRequest()
    proc = await asyncio.create_subprocess_shell(
        f"ping -q -c {min(count, 10)} {address} | tail -n 2", stdout=PIPE, stderr=PIPE
    )
    return web.json_response(await collect(proc))


@routes.get("/probe/route")
async def probe_route(request):
    host = request.match_info.get("host") or request.headers.get("X-Probe-Host", "localhost")
    argv = ["/bin/bash", "-c"]
    argv.append("traceroute -n -m 8 '" + shlex.quote(host) + "'")
    proc = await asyncio.create_subprocess_exec(*argv, stdout=PIPE, stderr=PIPE)
    return web.json_response(await collect(proc))


def main():
    app = web.Application()
    app.add_routes(routes)
    web.run_app(app, port=9010)


if __name__ == "__main__":
    main()
