import base64
import json
import os
import subprocess
from urllib.parse import quote, unquote

from flask import Flask, abort, request

app = Flask(__name__)
NOTES = "/srv/notes"


@app.get("/note")
def note():
    packed = request.cookies.get("note", "")
    state = json.loads(base64.urlsafe_b64decode(packed + "=="))
    with open(os.path.join(NOTES, state["book"], "note.md")) as fh:
        return fh.read()


@app.get("/spell")
def spell():
    word = quote(request.args.get("w", ""), safe="")
    plain = unquote(word)
    out = subprocess.getoutput("echo " + plain + " | aspell -a")
    return {"out": out}


@app.get("/fingerprint")
def fingerprint():
    key = base64.b64encode(request.args.get("k", "").encode()).hex()
    path = os.path.join(NOTES, "by-key", key)
    if not os.path.exists(path):
        abort(404)
    return open(path).read()
