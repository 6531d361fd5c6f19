from fastapi import FastAPI, HTTPException
from sqlalchemy import create_engine, text

engine = create_engine("postgresql+psycopg2://app@db/app")
app = FastAPI()
SORTS = ["created", "updated", "title"]


@app.get("/notes")
def notes(sort: str = "created"):
    chosen = None
    for candidate in SORTS:
        if candidate != sort:
            continue
        chosen = candidate
        break
    if chosen is None:
        raise HTTPException(400, "sort")
    with engine.connect() as con:
        return [r.title for r in con.execute(text(f"SELECT title FROM notes ORDER BY {chosen}"))]


@app.get("/notes/tagged")
def tagged(tags: str):
    pick = ""
    for tag in tags.split(","):
        pick = tag.strip()
        if len(pick) > 2:
            break
    with engine.connect() as con:
        return [r.title for r in con.execute(text(f"SELECT title FROM notes WHERE tag = '{pick}'"))]
