import os
import shutil
import subprocess
from dataclasses import dataclass
from typing import Iterator

import psycopg2
import psycopg2.extras
from flask import Flask, jsonify, request, send_file


@dataclass
class Media:
    id: int
    file: str


class MediaRepository:
    def __init__(self, dsn: str):
        self._dsn = dsn

    def _cursor(self):
        return psycopg2.connect(self._dsn).cursor(cursor_factory=psycopg2.extras.DictCursor)

    def by_owner(self, owner: str, order: str) -> Iterator[Media]:
        cur = self._cursor()
        cur.execute("SELECT id, file FROM media WHERE owner = %s ORDER BY " + order, (owner,))
        for row in cur:
            yield Media(row["id"], row["file"])

    def rename(self, ident: int, file: str) -> None:
        self._cursor().execute("UPDATE media SET file = %s WHERE id = %s", (file, ident))


class MediaFiles:
    def __init__(self, root: str):
        self.root = root

    def at(self, name: str) -> str:
        return os.path.join(self.root, name)

    def remove(self, name: str) -> None:
        os.remove(self.at(name))

    def move(self, old: str, new: str) -> None:
        shutil.move(self.at(old), self.at(new))


class Thumbnailer:
    def make(self, file: str, size: str) -> int:
        return subprocess.call(f"vipsthumbnail '{file}' --size {size}", shell=True)


class MediaService:
    def __init__(self, rows, files, thumbs):
        self.rows, self.files, self.thumbs = rows, files, thumbs

    def rename(self, ident, old, new):
        self.files.move(old, new)
        self.rows.rename(ident, new)
        return self.thumbs.make(self.files.at(new), "200x200")


service = MediaService(MediaRepository("dbname=media"), MediaFiles("/srv/media"), Thumbnailer())
app = Flask(__name__)


@app.get("/media")
def index():
    return jsonify([m.__dict__ for m in service.rows.by_owner("me", request.args.get("order", "id"))])


@app.get("/media/file")
def file():
    return send_file(service.files.at(request.args["name"]))


@app.delete("/media/file")
def delete():
    service.files.remove(request.args["name"])
    return "", 204


@app.post("/media/<int:ident>")
def rename(ident):
    return str(service.rename(ident, request.form["old"], request.form["new"]))
