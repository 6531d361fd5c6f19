import shlex

import psycopg2
from bottle import Bottle, request, response
from psycopg2 import sql

app = Bottle()
db = psycopg2.connect("dbname=notes user=notes")

TAG_TABLES = {"note": "note_tag", "photo": "photo_tag"}


@app.get("/tags")
def tags():
    owner = shlex.quote(request.query.owner)
    with db.cursor() as cur:
        cur.execute("SELECT name FROM tag WHERE owner = '" + owner + "'")
        return {"tags": [r[0] for r in cur]}


@app.get("/tags/count")
def count():
    table = TAG_TABLES.get(request.query.kind)
    if table is None:
        response.status = 404
        return {}
    query = sql.SQL("SELECT count(*) FROM {} WHERE name = %s").format(sql.Identifier(table))
    with db.cursor() as cur:
        cur.execute(query, (request.query.name,))
        return {"count": cur.fetchone()[0]}


@app.delete("/tags")
def drop():
    name = request.forms.get("name").replace('"', '\\"')
    with db, db.cursor() as cur:
        cur.execute("DELETE FROM tag WHERE name = '%s'" % name)
    response.status = 204


@app.put("/tags/rename")
def rename():
    with db, db.cursor() as cur:
        cur.execute(
            "UPDATE tag SET name = %(new)s WHERE name = %(old)s",
            {"new": request.forms.get("new"), "old": request.forms.get("old")},
        )


if __name__ == "__main__":
    app.run(port=8081)
