import base64
import binascii
from urllib.parse import unquote_plus

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import Response

app = FastAPI()
COVERS = "/srv/covers/"


@app.get("/cover")
def cover(request: Request):
    raw = request.query_params.get("c", "")
    if "/" in raw or "." in raw:
        raise HTTPException(400)
    try:
        name = base64.b64decode(raw, altchars=b"-_").decode()
    except (binascii.Error, UnicodeDecodeError):
        raise HTTPException(400)
    with open(COVERS + name, "rb") as fh:
        return Response(fh.read(), media_type="image/jpeg")


@app.get("/cover/by-name")
def cover_by_name(request: Request):
    name = unquote_plus(request.headers.get("x-cover", ""))
    if "/" in name or "\\" in name or name.startswith("."):
        raise HTTPException(400)
    with open(COVERS + name, "rb") as fh:
        return Response(fh.read(), media_type="image/jpeg")
