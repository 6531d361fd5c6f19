import os
import shlex
import subprocess
import uuid

from celery import Celery
from celery.utils.log import get_task_logger

app = Celery("media", broker="amqp://rabbit/media")
log = get_task_logger(__name__)

PRESETS = {"small": "scale=640:-2", "large": "scale=1920:-2"}


class Job:
    def __init__(self, payload):
        self.asset = uuid.UUID(payload["asset"])
        self.preset = payload.get("preset", "small")
        self.title = payload.get("title", "")
        self.extra = payload.get("options") or {}

    @property
    def source(self):
        return f"/srv/media/in/{self.asset}"

    @property
    def flags(self):
        return " ".join(f"-{key} {shlex.quote(str(value))}" for key, value in self.extra.items())


@app.task(name="media.transcode")
def transcode(payload):
    job = Job(payload)
    line = f"ffmpeg -y -i {job.source} {job.flags} {job.source}.mp4"
    status = os.system(line)
    if status != 0:
        log.error("transcode of %s ended with %s", job.asset, status)
    return status


@app.task(name="media.preview")
def preview(payload):
    job = Job(payload)
    scale = PRESETS.get(job.preset) or job.preset
    return os.system(f"ffmpeg -y -i {job.source} -vf {scale} -frames:v 1 {job.source}.png")


@app.task(name="media.node")
def node_load(payload):
    node = payload["node"].strip()
    done = subprocess.run(["ssh", node, "uptime"], capture_output=True, text=True, timeout=60)
    return done.stdout.rsplit(":", 1)[-1].strip()


@app.task(name="media.record")
def record(payload):
    job = Job(payload)
    env = {"PATH": "/usr/bin:/bin", "JOB_TITLE": job.title}
    subprocess.run('printf "%s\\n" "$JOB_TITLE" >> /var/log/media/titles.log', shell=True, env=env, check=True)


@app.task(name="media.pages")
def render_pages(payload):
    job = Job(payload)
    dpi = int(payload.get("dpi", 150))
    argv = ["pdftoppm", "-png", "-r", str(dpi), job.source + ".pdf", job.source]
    subprocess.run(argv, check=True, timeout=300)
    return dpi
