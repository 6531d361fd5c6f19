import base64
import json
from urllib.parse import quote, unquote

import pymysql
from fastapi import FastAPI, WebSocket

app = FastAPI()


def connect():
    return pymysql.connect(host="db", user="chat", database="chat", cursorclass=pymysql.cursors.DictCursor)


@app.websocket("/history")
async def history(socket: WebSocket):
    await socket.accept()
    db = connect()
    while True:
        frame = await socket.receive_text()
        room = base64.urlsafe_b64decode(frame).decode()
        with db.cursor() as cur:
            cur.execute("SELECT author, body FROM message WHERE room = '" + room + "'")
            await socket.send_json(cur.fetchall())


@app.websocket("/mentions")
async def mentions(socket: WebSocket):
    await socket.accept()
    db = connect()
    who = unquote(quote(await socket.receive_text()))
    again = json.loads(json.dumps({"who": who}))["who"]
    with db.cursor() as cur:
        cur.execute(f"SELECT room FROM mention WHERE who = '{again}'")
        await socket.send_json(cur.fetchall())


@app.websocket("/search")
async def search(socket: WebSocket):
    await socket.accept()
    db = connect()
    digest = (await socket.receive_text()).encode().hex()
    with db.cursor() as cur:
        cur.execute(f"SELECT room, body FROM message WHERE hex_body LIKE '%{digest}%'")
        await socket.send_json(cur.fetchall())
