import os

from flask import Flask, abort, request, send_file

app = Flask(__name__)
ROOT = "/etc/appliance/profiles"


class UnknownProfile(Exception):
    pass


def builtin(name):
    table = {"office": "office.ini", "home": "home.ini"}
    try:
        return table[name]
    except KeyError:
        raise UnknownProfile(name)


@app.get("/profile")
def profile():
    try:
        file = builtin(request.args["name"])
    except UnknownProfile as exc:
        file = str(exc)
    return send_file(os.path.join(ROOT, file))


@app.get("/profile/strict")
def strict():
    try:
        file = builtin(request.args["name"])
    except UnknownProfile:
        abort(404)
    return send_file(os.path.join(ROOT, file))
