import io
import json
import os
import shutil
import tarfile
import uuid
import zipfile

from flask import Blueprint, jsonify, request, send_file

themes = Blueprint("themes", __name__, url_prefix="/themes")
THEME_ROOT = "/var/lib/site/themes"


def new_directory():
    identifier = uuid.uuid4().hex
    directory = os.path.join(THEME_ROOT, identifier)
    os.makedirs(directory)
    return identifier, directory


def regular_members(archive):
    for member in archive:
        if member.isfile() and member.size < 5_000_000:
            yield member


def copy_assets(archive, directory):
    written = 0
    for info in archive.infolist():
        if info.is_dir() or info.filename.startswith("__MACOSX"):
            continue
        target = os.path.join(directory, info.filename)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with archive.open(info) as src, open(target, "wb") as dst:
            shutil.copyfileobj(src, dst)
        written += 1
    return written


@themes.post("/assets")
def upload_assets():
    identifier, directory = new_directory()
    with zipfile.ZipFile(request.files["archive"].stream) as archive:
        count = copy_assets(archive, directory)
    return jsonify(id=identifier, files=count)


@themes.post("/zip")
def upload_zip():
    identifier, directory = new_directory()
    with zipfile.ZipFile(io.BytesIO(request.get_data())) as archive:
        for name in archive.namelist():
            archive.extract(name, directory)
        with archive.open("manifest.json") as handle:
            manifest = json.load(handle)
    cover = os.path.join(directory, manifest.get("cover", "cover.png"))
    if not os.path.isfile(cover):
        return jsonify(id=identifier), 201
    return send_file(cover)


@themes.post("/tar")
def upload_tar():
    identifier, directory = new_directory()
    with tarfile.open(fileobj=request.files["archive"].stream, mode="r|gz") as archive:
        archive.extractall(directory, filter="data")
    return jsonify(id=identifier)


@themes.post("/legacy-tar")
def upload_legacy_tar():
    identifier, directory = new_directory()
    with tarfile.open(fileobj=io.BytesIO(request.get_data())) as archive:
        members = list(regular_members(archive))
        archive.extractall(directory, members=members, filter="fully_trusted")
    return jsonify(id=identifier, files=[m.name for m in members])
