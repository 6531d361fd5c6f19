import contextlib
import subprocess
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

ROOT = Path("/srv/mirror/pub").resolve()
CACHE = Path("/var/cache/mirror")


class NotCached(LookupError):
    def __init__(self, origin):
        super().__init__(origin)
        self.origin = origin


@contextlib.contextmanager
def pipeline(command):
    proc = subprocess.Popen(command, shell=True, stdout=subprocess.PIPE)
    try:
        yield proc.stdout
    finally:
        proc.stdout.close()
        proc.wait()


class MirrorHandler(BaseHTTPRequestHandler):
    def do_GET(self):
        parts = urlsplit(self.path)
        self.params = {k: v[-1] for k, v in parse_qs(parts.query).items()}
        action = {"/raw": self.raw, "/list": self.listing, "/cached": self.cached}
        action.get(parts.path, self.static)()

    def send(self, data, status=200):
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def static(self):
        path = urlsplit(self.path).path
        if ".." in path:
            return self.send(b"bad path", 400)
        with open(f"{ROOT}/{unquote(path)}", "rb") as handle:
            self.send(handle.read())

    def raw(self):
        target = Path(ROOT, self.params.get("file", "")).resolve()
        if ROOT not in target.parents:
            return self.send(b"not found", 404)
        self.send(target.read_bytes())

    def listing(self):
        package = self.params.get("package", "base")
        with pipeline(f"zcat /srv/mirror/index.gz | grep -F '{package}'") as stream:
            self.send(stream.read())

    def lookup(self, key):
        if not key.isalnum():
            raise NotCached(CACHE / key)
        return (CACHE / f"{key}.bin").read_bytes()

    def cached(self):
        try:
            data = self.lookup(self.params.get("key", ""))
        except NotCached as miss:
            data = miss.origin.read_bytes()
        self.send(data)


if __name__ == "__main__":
    ThreadingHTTPServer(("", 8081), MirrorHandler).serve_forever()
