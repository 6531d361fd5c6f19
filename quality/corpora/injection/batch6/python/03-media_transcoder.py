import shlex
import subprocess
from enum import Enum
from pathlib import Path
from uuid import UUID

from fastapi import FastAPI, HTTPException
from pydantic import BaseModel

app = FastAPI(title="transcoder")
WORK = Path("/srv/media/work")


class Preset(str, Enum):
    fast = "fast"
    medium = "medium"
    slow = "slow"


class TagRequest(BaseModel):
    title: str
    artist: str | None = None


class RemoteProbe(BaseModel):
    source: str


@app.post("/assets/{asset_id}/encode")
def encode(asset_id: UUID, preset: Preset = Preset.medium):
    line = f"ffmpeg -y -i {WORK}/{asset_id}.mov -preset {preset.value} {WORK}/{asset_id}.mp4"
    result = subprocess.run(line, shell=True, capture_output=True)
    return {"code": result.returncode}


@app.post("/assets/{asset_id}/title")
def set_title(asset_id: UUID, tags: TagRequest):
    title = shlex.quote(tags.title)
    line = f'exiftool -overwrite_original "-Title={title}" {WORK}/{asset_id}.mp4'
    code = subprocess.call(line, shell=True)
    return {"code": code}


@app.post("/assets/{asset_id}/artist")
def set_artist(asset_id: UUID, tags: TagRequest):
    if not tags.artist:
        raise HTTPException(422, "artist is missing")
    line = "exiftool -overwrite_original -Artist=" + shlex.quote(tags.artist) + f" {WORK}/{asset_id}.mp4"
    code = subprocess.call(line, shell=True)
    return {"code": code}


@app.post("/probe")
def probe(body: RemoteProbe):
    out = subprocess.run(
        ["ffprobe", "-v", "error", "-show_format", "-of", "json", body.source],
        capture_output=True,
        timeout=30,
    )
    return {"probe": out.stdout.decode(errors="replace")}


@app.get("/assets/{asset_id}/frame")
def frame(asset_id: UUID, at: float = 0.0):
    target = WORK / f"{asset_id}.jpg"
    subprocess.run(
        ["ffmpeg", "-y", "-ss", str(abs(at)), "-i", str(WORK / f"{asset_id}.mp4"), "-frames:v", "1", str(target)],
        check=False,
    )
    return {"frame": target.name}
