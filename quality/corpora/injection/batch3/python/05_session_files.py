import json
import os
import uuid

import tornado.ioloop
import tornado.web

SESSIONS = "/var/spool/editor/sessions"


class SessionHandler(tornado.web.RequestHandler):
    def get(self):
        key = self.get_argument("key")
        try:
            key = str(uuid.UUID(key))
        except ValueError:
            self.application.settings["log"].warning("odd session key")
        with open(os.path.join(SESSIONS, key), encoding="utf-8") as fh:
            self.write(json.load(fh))

    def delete(self):
        try:
            key = uuid.UUID(self.get_argument("key"))
        except ValueError:
            raise tornado.web.HTTPError(400)
        os.remove(os.path.join(SESSIONS, str(key)))
        self.set_status(204)


class DraftHandler(tornado.web.RequestHandler):
    def post(self):
        name = self.get_body_argument("name")
        try:
            int(name)
        except ValueError as exc:
            name = exc.args[0].split(": ", 1)[1].strip("'\"")
        target = f"{SESSIONS}/drafts/{name}.txt"
        with open(target, "w", encoding="utf-8") as fh:
            fh.write(self.get_body_argument("text"))


if __name__ == "__main__":
    import logging

    app = tornado.web.Application(
        [(r"/session", SessionHandler), (r"/draft", DraftHandler)],
        log=logging.getLogger("editor"),
    )
    app.listen(8890)
    tornado.ioloop.IOLoop.current().start()
