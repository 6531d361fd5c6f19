import io
import os
import tarfile
import zipfile

from pyramid.config import Configurator
from pyramid.response import Response
from pyramid.view import view_config

SITES = "/srv/sites"


@view_config(route_name="import_tar", request_method="PUT")
def import_tar(request):
    with tarfile.open(fileobj=io.BytesIO(request.body), mode="r:gz") as tar:
        for member in tar.getmembers():
            if not member.isfile():
                continue
            data = tar.extractfile(member).read()
            target = os.path.join(SITES, "staging", member.name)
            with open(target, "wb") as out:
                out.write(data)
    return Response(status=204)


@view_config(route_name="import_full", request_method="PUT")
def import_full(request):
    with tarfile.open(fileobj=io.BytesIO(request.body), mode="r:gz") as tar:
        tar.extractall(os.path.join(SITES, "next"), filter="data")
    return Response(status=204)


@view_config(route_name="import_zip", request_method="PUT")
def import_zip(request):
    root = os.path.realpath(os.path.join(SITES, "zip"))
    with zipfile.ZipFile(io.BytesIO(request.body)) as archive:
        for info in archive.infolist():
            target = os.path.realpath(os.path.join(root, info.filename))
            if os.path.commonpath([root, target]) != root or info.is_dir():
                continue
            with archive.open(info) as src, open(target, "wb") as out:
                out.write(src.read())
    return Response(status=204)


@view_config(route_name="import_one", request_method="PUT")
def import_one(request):
    with zipfile.ZipFile(io.BytesIO(request.body)) as archive:
        first = archive.namelist()[0]
        with open(SITES + "/single/" + first, "wb") as out:
            out.write(archive.read(first))
    return Response(status=204)


def main(global_config, **settings):
    config = Configurator(settings=settings)
    config.add_route("import_tar", "/import/tar")
    config.add_route("import_full", "/import/full")
    config.add_route("import_zip", "/import/zip")
    config.add_route("import_one", "/import/one")
    config.scan()
    return config.make_wsgi_app()
