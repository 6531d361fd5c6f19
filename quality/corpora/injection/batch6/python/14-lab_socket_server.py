import json
import os
import posixpath
import socketserver
import sqlite3
import subprocess

DATA = "/srv/lab/data"
FORBIDDEN = [";", "&&", "||"]

ACTIONS = {
    "uptime": "uptime",
    "disk": "df -h /srv/lab",
    "load": "cat /proc/loadavg | cut -d' ' -f1-3",
}


class LabHandler(socketserver.StreamRequestHandler):
    def handle(self):
        for raw in self.rfile:
            try:
                request = json.loads(raw)
                method = getattr(self, "do_" + request.get("op", ""), None)
                reply = method(request) if method else {"error": "unknown op"}
            except Exception as exc:
                reply = {"error": str(exc)}
            self.wfile.write(json.dumps(reply).encode() + b"\n")

    def do_status(self, request):
        line = ACTIONS.get(request["what"])
        if line is None:
            return {"error": "unknown action"}
        return {"out": subprocess.getoutput(line)}

    def do_device(self, request):
        args = request["args"]
        for word in FORBIDDEN:
            args = args.replace(word, " ")
        out = os.popen("labctl query " + args).read()
        return {"out": out}

    def do_channel(self, request):
        channel = str(request["channel"])
        if not channel.isdigit():
            return {"error": "channel"}
        out = os.popen(f"labctl channel {channel} --json").read()
        return json.loads(out)

    def do_read(self, request):
        name = posixpath.normpath("/" + request["name"]).lstrip("/")
        with open(os.path.join(DATA, name)) as fh:
            return {"text": fh.read()}

    def do_write(self, request):
        name = request["name"]
        if name.startswith("..") or name.startswith("/"):
            return {"error": "name"}
        with open(os.path.join(DATA, name), "w") as fh:
            fh.write(request["text"])
        return {"ok": True}

    def do_runs(self, request):
        since = request["since"]
        with sqlite3.connect(os.path.join(DATA, "runs.db")) as db:
            rows = db.execute(f"SELECT id, name FROM runs WHERE started > {since}").fetchall()
        return {"rows": rows}


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


if __name__ == "__main__":
    with Server(("0.0.0.0", 7007), LabHandler) as server:
        server.serve_forever()
