import datetime
import json
from pathlib import Path

import tornado.ioloop
import tornado.web

ARCHIVE = Path("/srv/tides/archive")
CALIBRATION = "/srv/tides/calibration"
INCOMING = Path("/srv/tides/incoming")


class BaseHandler(tornado.web.RequestHandler):
    def write_error(self, status_code, **kwargs):
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps({"status": status_code}))

    def bad(self, reason):
        raise tornado.web.HTTPError(400, reason=reason)


class SeriesHandler(BaseHandler):
    def get(self, station):
        requested = (ARCHIVE / station / self.get_query_argument("series")).resolve()
        if not requested.is_relative_to(ARCHIVE):
            self.bad("no such series")
        try:
            self.write(requested.read_bytes())
        except FileNotFoundError:
            raise tornado.web.HTTPError(404)


class CalibrationHandler(BaseHandler):
    def get(self):
        name = self.get_query_argument("sheet")
        target = CALIBRATION + "/" + name
        if not target.startswith(CALIBRATION + "/"):
            self.bad("outside of the calibration folder")
        with open(target, encoding="utf-8") as sheet:
            self.write({"sheet": name, "lines": sheet.read().splitlines()})


class DailyHandler(BaseHandler):
    def get(self):
        try:
            day = datetime.date.fromisoformat(self.get_query_argument("day"))
        except ValueError:
            self.bad("day has to look like 2024-03-01")
        path = ARCHIVE / "daily" / f"{day:%Y}" / f"{day.isoformat()}.csv"
        if not path.exists():
            raise tornado.web.HTTPError(404)
        self.set_header("Content-Type", "text/csv")
        self.write(path.read_text())


class UploadHandler(BaseHandler):
    def post(self):
        stored = []
        for field, files in self.request.files.items():
            for info in files:
                if not info["filename"].lower().endswith((".csv", ".dat")):
                    self.bad("only csv and dat files")
                destination = INCOMING / info["filename"]
                destination.write_bytes(info["body"])
                stored.append({"field": field, "size": len(info["body"])})
        self.set_status(201)
        self.write({"stored": stored})


def make_app():
    return tornado.web.Application([
        (r"/series/([a-z]{3}\d{2})", SeriesHandler),
        (r"/calibration", CalibrationHandler),
        (r"/daily", DailyHandler),
        (r"/upload", UploadHandler),
    ])


if __name__ == "__main__":
    make_app().listen(8088)
    tornado.ioloop.IOLoop.current().start()
