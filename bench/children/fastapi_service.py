"""A minimal service with FastAPI and SQLite: bodies stored beforehand, read by primary key and sent as they are."""

import sqlite3
import sys

import uvicorn
from fastapi import FastAPI, Response

app = FastAPI(openapi_url=None)
database = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True, check_same_thread=False)


@app.get("/v1/cve/{cve_id}")
async def look_up(cve_id: str) -> Response:
    row = database.execute("SELECT body FROM page WHERE cve_id = ?", (cve_id,)).fetchone()
    if row is None:
        return Response(status_code=404)
    return Response(row[0], media_type="application/json")


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), workers=1, log_level="warning", access_log=False)
