import io

import pymysql
import tornado.ioloop
import tornado.web


def connect():
    return pymysql.connect(host="db", user="logs", password="", database="logs")


class SearchHandler(tornado.web.RequestHandler):
    def get(self):
        buf = io.StringIO()
        buf.write("SELECT ts, line FROM log_lines WHERE 1=1")
        host = self.get_argument("host", None)
        if host:
            buf.write(" AND host = '")
            buf.write(host)
            buf.write("'")
        buf.write(" ORDER BY ts DESC LIMIT 200")
        with connect() as conn, conn.cursor() as cur:
            cur.execute(buf.getvalue())
            self.write({"lines": [list(map(str, r)) for r in cur.fetchall()]})


class CountHandler(tornado.web.RequestHandler):
    def get(self):
        parts = ["SELECT count(*) FROM log_lines"]
        args = []
        for name in ("host", "unit", "level"):
            value = self.get_query_argument(name, None)
            if value is not None:
                parts.append(("WHERE" if not args else "AND") + " " + name + " = %s")
                args.append(value)
        with connect() as conn, conn.cursor() as cur:
            cur.execute(" ".join(parts), args)
            self.write({"count": cur.fetchone()[0]})


if __name__ == "__main__":
    tornado.web.Application([(r"/search", SearchHandler), (r"/count", CountHandler)]).listen(8888)
    tornado.ioloop.IOLoop.current().start()
