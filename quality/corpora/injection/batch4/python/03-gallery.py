from pathlib import Path
from uuid import uuid4

from fastapi import APIRouter, FastAPI, File, HTTPException, Query, UploadFile
from fastapi.responses import FileResponse

GALLERY = Path("/srv/gallery/originals").resolve()
AVATARS = Path("/srv/gallery/avatars")
PUBLIC = Path("/srv/gallery/public")
DRAFTS = Path("/srv/gallery/public-drafts")
IMAGE_TYPES = {".png", ".jpg", ".webp"}

app = FastAPI(title="gallery")
router = APIRouter(prefix="/v1")


class Store:
    def __init__(self, folder: Path):
        self.folder = folder
        self.saved: list[Path] = []

    async def add(self, upload: UploadFile, prefix: str = "") -> Path:
        target = self.folder / (prefix + upload.filename)
        target.write_bytes(await upload.read())
        self.saved.append(target)
        return target


@router.post("/albums/{album}/images")
async def add_images(album: int, files: list[UploadFile] = File(...)):
    store = Store(GALLERY)
    for upload in files:
        await store.add(upload)
    return {"album": album, "count": len(store.saved)}


@router.post("/avatar")
async def set_avatar(picture: UploadFile = File(...)):
    suffix = Path(picture.filename or "").suffix.lower()
    if suffix not in IMAGE_TYPES:
        raise HTTPException(415, "unsupported image")
    target = AVATARS / f"{uuid4().hex}{suffix}"
    target.write_bytes(await picture.read())
    return {"avatar": target.name}


@router.get("/public")
async def show_public(name: str = Query(...)):
    target = (PUBLIC / name).resolve()
    if not str(target).startswith(str(PUBLIC)):
        raise HTTPException(404)
    return FileResponse(target)


@router.delete("/images")
async def delete_image(name: str = Query(...)):
    target = (GALLERY / name).resolve()
    if target == GALLERY or not target.is_relative_to(GALLERY):
        raise HTTPException(404)
    target.unlink(missing_ok=True)
    return {"deleted": name}


@router.get("/drafts/{draft_id}")
async def show_draft(draft_id: int, size: str = "full"):
    sizes = {"full": "full.png", "thumb": "thumb.png"}
    return FileResponse(DRAFTS / str(draft_id) / sizes.get(size, "full.png"))


app.include_router(router)
