import os
from pathlib import Path

from fastapi import FastAPI, HTTPException, Query
from fastapi.responses import FileResponse, Response

app = FastAPI(title="statements")
STATEMENTS = Path("/data/statements")
LOGOS = "/data/logos"


@app.get("/statements/{year}/{name:path}")
def statement(year: int, name: str):
    file = STATEMENTS / str(year) / name
    if not file.exists():
        raise HTTPException(status_code=404)
    return FileResponse(file, media_type="application/pdf")


@app.get("/statements-flat")
def statement_flat(name: str = Query(...)):
    file = STATEMENTS / "flat" / os.path.basename(name)
    if file.suffix != ".pdf":
        raise HTTPException(status_code=404)
    return FileResponse(file, media_type="application/pdf")


@app.get("/logo")
def logo(brand: str = "default", variant: str = "light"):
    folder = os.path.join(LOGOS, brand)
    with open(os.path.join(folder, os.path.basename(variant) + ".svg"), "rb") as fh:
        return Response(fh.read(), media_type="image/svg+xml")
