import os
from pathlib import Path

from flask import Flask, abort, request, send_file

app = Flask(__name__)
PAGES = os.path.realpath("/srv/wiki/pages")
MEDIA = Path("/srv/wiki/media").resolve()


@app.get("/page")
def page():
    full = os.path.realpath(os.path.join(PAGES, request.args["p"]))
    if os.path.commonpath([full, PAGES]) != PAGES:
        abort(403)
    with open(full, encoding="utf-8") as fh:
        return fh.read()


@app.get("/media")
def media():
    target = (MEDIA / request.args["f"]).resolve()
    if not target.is_relative_to(MEDIA):
        abort(403)
    return send_file(target)


@app.get("/draft")
def draft():
    full = os.path.realpath(os.path.join(PAGES, request.args["p"]))
    if not full.startswith(PAGES):
        abort(403)
    with open(full, encoding="utf-8") as fh:
        return fh.read()
