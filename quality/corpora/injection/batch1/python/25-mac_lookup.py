import re
import subprocess
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlparse

MAC = re.compile(r"[0-9a-f]{2}(:[0-9a-f]{2}){5}")


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urlparse(self.path)
        mac = parse_qs(url.query).get("mac", [""])[0]
        if url.path == "/wake":
            if not MAC.fullmatch(mac):
                self.send_error(400)
                return
            out = subprocess.getoutput("wakeonlan " + mac)
        else:
            if not MAC.match(mac):
                self.send_error(400)
                return
            out = subprocess.getoutput("arp -an | grep " + mac)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(out.encode())


if __name__ == "__main__":
    HTTPServer(("", 8000), Handler).serve_forever()
