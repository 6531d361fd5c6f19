import os
import subprocess

import psycopg2
from fastapi import FastAPI, Form, HTTPException

app = FastAPI()
FORBIDDEN = (";", "&&", "||")
KEYWORDS = ("union", "sleep", "--", "/*")


def strip_keywords(text: str) -> str:
    for word in KEYWORDS:
        text = text.replace(word, "")
    return text


@app.post("/scan")
def scan(host: str = Form()):
    if any(token in host for token in FORBIDDEN):
        raise HTTPException(400)
    out = subprocess.run(f"nmap -sn {host}", shell=True, capture_output=True, text=True)
    return {"output": out.stdout}


@app.get("/hosts")
def hosts(site: str):
    con = psycopg2.connect("dbname=nms")
    cur = con.cursor()
    cur.execute("SELECT name FROM host WHERE site = '" + strip_keywords(site.lower()) + "'")
    return [r[0] for r in cur.fetchall()]


@app.get("/result")
def result(name: str):
    for piece in ("etc", "passwd", "shadow", "~"):
        name = name.replace(piece, "")
    with open(os.path.join("/srv/results", name)) as fh:
        return fh.read()


@app.post("/flush")
def flush():
    return {"code": subprocess.call("ip neigh flush all", shell=True)}
