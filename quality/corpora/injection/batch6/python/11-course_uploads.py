import io
import os
import shutil
import uuid
import zipfile

from flask import Flask, abort, jsonify, request
from werkzeug.utils import secure_filename

app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 64 * 1024 * 1024
ROOT = "/srv/courses"
IMAGE_TYPES = {".png", ".jpg", ".webp"}


def course_dir(course_id: int) -> str:
    folder = os.path.join(ROOT, f"course-{course_id}")
    os.makedirs(folder, exist_ok=True)
    return folder


@app.post("/courses/<int:course_id>/package")
def upload_package(course_id):
    data = request.files["package"].read()
    folder = course_dir(course_id)
    written = []
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            if info.is_dir():
                continue
            target = os.path.join(folder, info.filename)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with archive.open(info) as src, open(target, "wb") as dst:
                shutil.copyfileobj(src, dst)
            written.append(info.filename)
    return jsonify(written=written)


@app.post("/courses/<int:course_id>/handout")
def upload_handout(course_id):
    upload = request.files["handout"]
    name = secure_filename(upload.filename)
    if not name:
        abort(400)
    upload.save(os.path.join(course_dir(course_id), name))
    return jsonify(name=name)


@app.post("/courses/<int:course_id>/draft")
def upload_draft(course_id):
    upload = request.files["draft"]
    name = upload.filename or "draft.md"
    if not name.endswith(".md"):
        abort(415)
    upload.save(os.path.join(course_dir(course_id), name))
    return jsonify(name=name)


@app.post("/courses/<int:course_id>/image")
def upload_image(course_id):
    upload = request.files["image"]
    ext = os.path.splitext(upload.filename)[1].lower()
    if ext not in IMAGE_TYPES:
        abort(415)
    name = uuid.uuid4().hex + ext
    upload.save(os.path.join(course_dir(course_id), name))
    return jsonify(name=name)


@app.delete("/courses/<int:course_id>/file")
def delete_file(course_id):
    name = request.args["name"]
    folder = course_dir(course_id)
    known = {entry.name for entry in os.scandir(folder) if entry.is_file()}
    if name not in known:
        abort(404)
    os.remove(os.path.join(folder, name))
    return "", 204


@app.delete("/courses/<int:course_id>/folder")
def delete_folder(course_id):
    shutil.rmtree(os.path.join(course_dir(course_id), request.args["name"]))
    return "", 204
