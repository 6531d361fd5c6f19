from pathlib import Path

import aiofiles
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, JSONResponse
from starlette.routing import Route

MEDIA = Path("/srv/media").resolve()
COVERS = Path("/srv/covers").resolve()


async def stream(request):
    target = (MEDIA / request.query_params["file"]).resolve()
    if not target.is_relative_to(MEDIA):
        raise HTTPException(status_code=404)
    return FileResponse(target)


async def cover(request):
    target = (COVERS / request.query_params["file"]).resolve()
    if target.suffix != ".jpg":
        raise HTTPException(status_code=404)
    return FileResponse(target)


async def subtitles(request):
    target = (MEDIA / request.path_params["rest"]).resolve()
    try:
        target.relative_to(MEDIA)
    except ValueError:
        raise HTTPException(status_code=404)
    async with aiofiles.open(target, "rb") as fh:
        data = await fh.read()
    return JSONResponse({"bytes": len(data)})


app = Starlette(
    routes=[
        Route("/stream", stream),
        Route("/cover", cover),
        Route("/subtitles/{rest:path}", subtitles),
    ]
)
