import os

from sanic import Sanic
from sanic.response import json as reply

app = Sanic("ops")
DRY_RUN = True
VERSION = 3


@app.post("/deploy")
async def deploy(request):
    ref = "stable"
    if not DRY_RUN:
        ref = request.json["ref"]
    code = os.system("/opt/deploy/run.sh --check " + ref)
    return reply({"code": code})


@app.post("/rollback")
async def rollback(request):
    if VERSION >= 3:
        ref = request.json["ref"]
    else:
        ref = "stable"
    code = os.system("/opt/deploy/rollback.sh " + ref)
    return reply({"code": code})


if __name__ == "__main__":
    app.run(port=8000)
