import os
import shutil
import tarfile

from flask import Blueprint, Flask, abort, jsonify, request, send_file, send_from_directory

PLUGINS = "/opt/portal/plugins"
ASSETS = "/opt/portal/assets"

bp = Blueprint("plugins", __name__, url_prefix="/plugins")


def bundle():
    upload = request.files.get("bundle")
    if upload is None:
        abort(400)
    return tarfile.open(fileobj=upload.stream, mode="r:gz")


@bp.post("/install")
def install():
    with bundle() as archive:
        names = archive.getnames()
        if "plugin.json" not in names:
            abort(422)
        archive.extractall(PLUGINS, filter="fully_trusted")
    return jsonify(installed=names)


@bp.post("/themes")
def install_theme():
    with bundle() as archive:
        archive.extractall(os.path.join(PLUGINS, "themes"), filter="data")
    return jsonify(ok=True)


@bp.delete("/installed")
def uninstall():
    name = request.args.get("name", "").replace("../", "")
    if not name:
        abort(400)
    shutil.rmtree(os.path.join(PLUGINS, name), ignore_errors=True)
    return "", 204


@bp.get("/icon")
def icon():
    return send_from_directory(ASSETS, request.args.get("file", "default.svg"))


@bp.get("/manual")
def manual():
    wanted = os.path.normpath(request.args.get("page", "index.html"))
    return send_file(os.path.join(ASSETS, "manual", wanted))


def create_app():
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = 64 * 1024 * 1024
    app.register_blueprint(bp)
    return app
