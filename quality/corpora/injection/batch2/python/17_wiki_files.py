from pathlib import Path

from flask import Flask, Response, request, abort
import os

app = Flask(__name__)
WIKI = "/srv/wiki/pages/"


def tidy(name):
    return name.replace("../", "").lstrip("/")


def plain(name):
    for ch in ("/", "\\", "\0"):
        name = name.replace(ch, "")
    return name


@app.route("/page")
def page():
    name = tidy(request.args["name"])
    return Response(Path(WIKI + name).read_text(), mimetype="text/markdown")


@app.route("/page/raw")
def raw():
    name = plain(request.args["name"])
    return Response(open(WIKI + name + ".md").read(), mimetype="text/plain")


@app.route("/export")
def export():
    fmt = request.args.get("format", "html")
    for ch in (";", "|", "&"):
        if ch in fmt:
            abort(400)
    os.system("pandoc -t " + fmt + " -o /tmp/export.out " + WIKI + "index.md")
    return Response(open("/tmp/export.out").read())
