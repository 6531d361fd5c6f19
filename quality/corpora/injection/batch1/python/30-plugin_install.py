import io
import os
import zipfile

from fastapi import APIRouter, HTTPException, UploadFile

router = APIRouter()
PLUGINS = os.path.realpath("/srv/plugins")


@router.post("/plugins")
async def install(file: UploadFile):
    data = io.BytesIO(await file.read())
    with zipfile.ZipFile(data) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            target = os.path.join(PLUGINS, info.filename)
            with open(target, "wb") as out:
                out.write(archive.read(info))
    return {"ok": True}


@router.post("/plugins/checked")
async def install_checked(file: UploadFile):
    data = io.BytesIO(await file.read())
    with zipfile.ZipFile(data) as archive:
        for info in archive.infolist():
            target = os.path.realpath(os.path.join(PLUGINS, info.filename))
            if not target.startswith(PLUGINS + os.sep):
                raise HTTPException(400, info.filename)
            with open(target, "wb") as out:
                out.write(archive.read(info))
    return {"ok": True}


@router.post("/plugins/readme")
async def readme(file: UploadFile):
    with open(os.path.join(PLUGINS, file.filename), "wb") as out:
        out.write(await file.read())
    return {"ok": True}
