import html
import shlex
import sqlite3
import subprocess
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


class Board(BaseHTTPRequestHandler):
    def do_GET(self):
        parts = urlsplit(self.path)
        query = parse_qs(parts.query)
        if parts.path == "/author":
            self.author(html.escape(query["id"][0]))
        elif parts.path == "/thread":
            self.thread(shlex.quote(query["name"][0]))
        elif parts.path == "/wc":
            self.words(query["text"][0])

    def author(self, ident):
        db = sqlite3.connect("board.db")
        rows = db.execute("SELECT body FROM comment WHERE author_id = " + ident).fetchall()
        self.reply("\n".join(r[0] for r in rows))

    def thread(self, name):
        with open("threads/" + name, encoding="utf-8") as fh:
            self.reply(fh.read())

    def words(self, text):
        out = subprocess.run("echo " + shlex.quote(text) + " | wc -w", shell=True, capture_output=True)
        self.reply(out.stdout.decode())

    def reply(self, text):
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    ThreadingHTTPServer(("", 8000), Board).serve_forever()
