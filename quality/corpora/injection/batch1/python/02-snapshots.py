import subprocess

import tornado.ioloop
import tornado.web


class Snapshot:
    def __init__(self):
        self.volume = "vg0/data"
        self.comment = ""
        self.size = "1G"


class Lvm:
    def __init__(self, snap):
        self.snap = snap

    def create(self):
        return subprocess.call(["lvcreate", "-s", "-L", self.snap.size, self.snap.volume])

    def annotate(self):
        cmd = "echo %s >> /var/log/snapshots.log" % self.snap.comment
        return subprocess.call(cmd, shell=True)


class SnapshotHandler(tornado.web.RequestHandler):
    def post(self):
        snap = Snapshot()
        snap.comment = self.get_body_argument("comment", "none")
        lvm = Lvm(snap)
        if lvm.create() != 0:
            self.set_status(500)
            return
        lvm.annotate()
        self.set_status(201)


if __name__ == "__main__":
    tornado.web.Application([(r"/snapshots", SnapshotHandler)]).listen(8888)
    tornado.ioloop.IOLoop.current().start()
