import io
import os
import shutil
import tarfile
import zipfile

from aiohttp import web

PLUGINS = "/opt/app/plugins"


async def upload_zip(request):
    data = await request.read()
    archive = zipfile.ZipFile(io.BytesIO(data))
    for info in archive.infolist():
        if info.is_dir():
            continue
        dest = os.path.join(PLUGINS, info.filename)
        with archive.open(info) as src, open(dest, "wb") as out:
            shutil.copyfileobj(src, out)
    return web.json_response({"files": len(archive.namelist())})


async def upload_tar(request):
    data = await request.read()
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        tar.extractall(PLUGINS, filter="data")
    return web.Response(status=201)


app = web.Application(client_max_size=64 * 2**20)
app.router.add_post("/plugins/zip", upload_zip)
app.router.add_post("/plugins/tar", upload_tar)
web.run_app(app, port=8090)
