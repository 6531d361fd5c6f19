import psycopg2
from fastapi import FastAPI, Query
from fastapi.responses import FileResponse

app = FastAPI(title="geo")
DSN = "dbname=geo user=geo"


@app.get("/health")
def health():
    return {"ok": True}


@app.get("/places")
def places(kind: str = Query("city"), near: str | None = None):
    table = "places_city" if kind == "city" else "places_other"
    sql = f"SELECT name, lat, lon FROM {table}"
    with psycopg2.connect(DSN) as conn, conn.cursor() as cur:
        cur.execute(sql)
        base = cur.fetchall()
        area = near or "europe"
        cur.execute("SELECT name FROM areas WHERE slug = '" + area + "'")
        return {"places": base, "areas": cur.fetchall()}


@app.get("/tiles")
def tile(layer: str = "", zoom: int = 1):
    folder = layer if layer else "base"
    return FileResponse(f"/srv/tiles/{folder}/{zoom}.png")
