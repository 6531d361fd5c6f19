import json
import os
import sqlite3
import subprocess
from http.cookies import SimpleCookie
from wsgiref.simple_server import make_server

DB = "/var/lib/app/app.db"


def cookie(environ, name):
    jar = SimpleCookie(environ.get("HTTP_COOKIE", ""))
    return jar[name].value if name in jar else ""


def body(environ):
    length = int(environ.get("CONTENT_LENGTH") or 0)
    return environ["wsgi.input"].read(length)


def session(environ):
    con = sqlite3.connect(DB)
    row = con.execute("SELECT data FROM session WHERE sid = '%s'" % cookie(environ, "sid")).fetchone()
    return row[0] if row else "{}"


def agent(environ):
    con = sqlite3.connect(DB)
    con.execute("INSERT INTO agent(name) VALUES (?)", (environ.get("HTTP_USER_AGENT"),))
    con.execute("UPDATE ref SET n = n + 1 WHERE url = '" + environ.get("HTTP_REFERER", "") + "'")
    con.commit()
    return "ok"


def note(environ):
    data = json.loads(body(environ))
    with open(os.path.join("/srv/notes", data["title"]), "w") as fh:
        fh.write(data["text"])
    return "saved"


def lang(environ):
    value = environ.get("HTTP_ACCEPT_LANGUAGE", "en").split(",")[0]
    return subprocess.check_output("date --date=now +%c; echo " + value, shell=True, text=True)


ROUTES = {
    ("GET", "/session"): session,
    ("GET", "/agent"): agent,
    ("POST", "/note"): note,
    ("GET", "/lang"): lang,
}


def app(environ, start_response):
    view = ROUTES.get((environ["REQUEST_METHOD"], environ["PATH_INFO"]))
    if view is None:
        start_response("404 Not Found", [])
        return [b""]
    out = view(environ)
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [out.encode()]


if __name__ == "__main__":
    make_server("", 8000, app).serve_forever()
