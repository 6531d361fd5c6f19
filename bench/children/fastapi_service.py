"""A minimal service with FastAPI and SQLite: bodies stored beforehand, read by primary key and sent as they are.

Two forms of the same route: `threads`, as FastAPI's documentation advises for a library that blocks (sqlite3 does), and `loop`,
which is quicker here, because these queries are short, and stops all other requests meanwhile.
"""

import sqlite3
import sys

import uvicorn
from fastapi import FastAPI, Response

app = FastAPI(openapi_url=None)
database = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True, check_same_thread=False)


def look_up(cve_id: str) -> Response:
    row = database.execute("SELECT body FROM page WHERE cve_id = ?", (cve_id,)).fetchone()
    if row is None:
        return Response(status_code=404)
    return Response(row[0], media_type="application/json")


async def look_up_in_loop(cve_id: str) -> Response:
    return look_up(cve_id)


app.get("/v1/cve/{cve_id}")(look_up if sys.argv[3] == "threads" else look_up_in_loop)

uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), workers=1, log_level="warning", access_log=False)
