import os

from flask import Flask, Response, request

app = Flask(__name__)
LOGS = "/var/log/app"


def acceptable(name):
    if not name:
        return False
    if os.sep in name or name in (".", ".."):
        return False
    return name.endswith(".log")


@app.get("/log")
def log():
    name = request.args.get("name", "")
    if not acceptable(name):
        return Response("no", status=400)
    with open(os.path.join(LOGS, name)) as fh:
        return Response(fh.read(), mimetype="text/plain")


@app.get("/log/raw")
def raw():
    name = request.args.get("name", "")
    if not name.endswith(".log"):
        return Response("no", status=400)
    with open(os.path.join(LOGS, name)) as fh:
        return Response(fh.read(), mimetype="text/plain")
