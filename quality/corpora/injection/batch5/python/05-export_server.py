import os
import uuid
from pathlib import Path

import tornado.ioloop
import tornado.web

EXPORTS = "/srv/exports"
ARCHIVE = "/srv/exports-archive"
CHUNK = 64 * 1024


class FileHandler(tornado.web.RequestHandler):
    async def stream(self, handle):
        self.set_header("Content-Type", "application/octet-stream")
        while chunk := handle.read(CHUNK):
            self.write(chunk)
            await self.flush()


class DownloadHandler(FileHandler):
    async def get(self):
        path = os.path.join(EXPORTS, self.get_argument("name"))
        if not path.startswith(EXPORTS + os.sep):
            raise tornado.web.HTTPError(403)
        with open(path, "rb") as handle:
            await self.stream(handle)


class PreviewHandler(FileHandler):
    def resolve(self, name):
        path = os.path.realpath(os.path.join(EXPORTS, name))
        if not path.startswith(EXPORTS):
            raise tornado.web.HTTPError(403)
        return path

    async def get(self):
        target = self.resolve(self.get_argument("name"))
        with open(target, encoding="utf-8") as handle:
            self.write("".join(line for _, line in zip(range(20), handle)))


class ReportHandler(FileHandler):
    async def get(self):
        root = Path(EXPORTS).resolve()
        candidate = (root / self.get_argument("name")).resolve()
        if not candidate.is_relative_to(root):
            raise tornado.web.HTTPError(404)
        with candidate.open("rb") as handle:
            await self.stream(handle)


class UploadHandler(tornado.web.RequestHandler):
    def post(self):
        upload = self.request.files["file"][0]
        stored = f"{uuid.uuid4().hex}.csv"
        with open(os.path.join(EXPORTS, stored), "wb") as handle:
            handle.write(upload["body"])
        self.write({"original": upload["filename"], "stored": stored})


class DeleteHandler(tornado.web.RequestHandler):
    def delete(self):
        name = self.get_argument("name").replace("../", "").lstrip("/")
        os.remove(os.path.join(EXPORTS, name))
        self.set_status(204)


def make_app():
    return tornado.web.Application([
        (r"/download", DownloadHandler),
        (r"/preview", PreviewHandler),
        (r"/report", ReportHandler),
        (r"/upload", UploadHandler),
        (r"/delete", DeleteHandler),
    ])


if __name__ == "__main__":
    for directory in (EXPORTS, ARCHIVE):
        os.makedirs(directory, exist_ok=True)
    make_app().listen(8888)
    tornado.ioloop.IOLoop.current().start()
