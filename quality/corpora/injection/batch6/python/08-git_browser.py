import ast
import re
import subprocess

import tornado.ioloop
import tornado.web

REPOS = "/srv/git"
REPO_NAME = re.compile(r"\A[a-z0-9]+(?:-[a-z0-9]+)*\Z")


class GitHandler(tornado.web.RequestHandler):
    repo = None

    def prepare(self):
        name = self.get_query_argument("repo")
        if not REPO_NAME.match(name):
            raise tornado.web.HTTPError(400)
        self.repo = f"{REPOS}/{name}.git"

    def git(self, *args):
        done = subprocess.run(["git", "--git-dir", self.repo, *args], capture_output=True)
        return done.stdout.decode("utf-8", "replace")


class HistoryHandler(GitHandler):
    def get(self):
        path = self.get_query_argument("path", ".")
        self.write({"log": self.git("log", "--oneline", "HEAD", "--", path)})


class DiffHandler(GitHandler):
    def get(self):
        ref = self.get_query_argument("ref")
        self.write({"diff": self.git("diff", ref)})


class SizeHandler(GitHandler):
    def get(self):
        out = subprocess.check_output(f"du -sh {self.repo} | cut -f1", shell=True)
        self.write({"size": out.decode().strip()})


class GrepHandler(GitHandler):
    def get(self):
        word = self.get_query_argument("word")
        if "'" in word:
            self.set_status(400)
            self.finish("quote is not supported")
        line = f"git --git-dir {self.repo} grep -n -e '{word}' HEAD"
        out = subprocess.run(line, shell=True, capture_output=True).stdout
        if not self._finished:
            self.write(out)


class FilterHandler(tornado.web.RequestHandler):
    rows = [{"name": "core", "stars": 12}, {"name": "docs", "stars": 3}]

    def post(self):
        columns = ast.literal_eval(self.get_body_argument("columns", "['name']"))
        test = self.get_body_argument("test", "True")
        kept = [r for r in self.rows if eval(test, {}, dict(r))]
        self.write({"rows": [{c: r.get(c) for c in columns} for r in kept]})


def main():
    app = tornado.web.Application([
        (r"/history", HistoryHandler),
        (r"/diff", DiffHandler),
        (r"/size", SizeHandler),
        (r"/grep", GrepHandler),
        (r"/filter", FilterHandler),
    ])
    app.listen(8090)
    tornado.ioloop.IOLoop.current().start()


if __name__ == "__main__":
    main()
