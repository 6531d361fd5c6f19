import asyncio
import subprocess

from quart import Quart, request

app = Quart(__name__)


@app.post("/caption")
async def caption():
    form = await request.form
    text = form["text"]
    proc = await asyncio.create_subprocess_exec(
        "exiftool", "-overwrite_original", "-Caption-Abstract=" + text, "/srv/img/current.jpg"
    )
    return {"code": await proc.wait()}


@app.post("/caption/preview")
async def preview():
    form = await request.form
    text = form["text"]
    proc = await asyncio.create_subprocess_shell(
        "convert -size 400x60 label:" + text + " /srv/img/preview.png"
    )
    return {"code": await proc.wait()}


@app.post("/caption/ocr")
async def ocr():
    form = await request.form
    out = subprocess.run(["bash", "-c", "tesseract /srv/img/current.jpg - -l " + form["lang"]], capture_output=True)
    return {"text": out.stdout.decode()}
