import subprocess

from celery import Celery
from flask import Flask, request

celery = Celery("media", broker="redis://cache/0")
flask_app = Flask(__name__)


def split_spec(spec):
    name, _, options = spec.partition("?")
    return "/srv/media/input.mkv", name, options


@flask_app.post("/transcode")
def transcode():
    source, name, options = split_spec(request.form["spec"])
    cmd = "ffmpeg -i %s %s /srv/media/out.mp4" % (source, options)
    subprocess.Popen(cmd, shell=True)
    return {"queued": name}, 202


@flask_app.post("/probe")
def probe():
    source, *_ = split_spec(request.form["spec"])
    out = subprocess.check_output("ffprobe -v error " + source, shell=True)
    return out.decode(), 200
