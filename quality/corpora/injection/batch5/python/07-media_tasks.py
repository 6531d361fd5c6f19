import os
import re
import subprocess
from uuid import UUID

from celery import Celery, shared_task
from celery.utils.log import get_task_logger

app = Celery("media", broker="amqp://broker.partners.example//")
log = get_task_logger(__name__)

IMAGE_NAME = re.compile(r"[\w\-]+\.(png|jpe?g)")
PRESETS = {
    "web": "-c:v libx264 -crf 23 -preset fast",
    "mobile": "-c:v libx264 -crf 28 -vf scale=640:-2",
    "audio": "-vn -c:a aac",
}


class Watermarker:
    def __init__(self, workdir="/data/work"):
        self.workdir = workdir
        self.steps = ["composite"]

    def configure(self, options):
        for key, value in options.items():
            self.steps.append(f"-{key} {value}")
        return self

    def add_files(self, *files):
        self.steps.extend(files)
        return self

    def run(self):
        process = subprocess.Popen(
            " ".join(self.steps),
            shell=True,
            cwd=self.workdir,
        )
        return process.wait(timeout=120)


@shared_task(name="partner.thumbnail")
def thumbnail(payload):
    source = payload["image"]
    if not IMAGE_NAME.match(source):
        raise ValueError("unexpected image name")
    width, height = (int(v) for v in payload.get("size", "200x200").split("x"))
    status = os.system("convert /data/in/%s -resize %dx%d /data/out/thumb.png" % (source, width, height))
    log.info("thumbnail exit status %s", status)
    return status


@shared_task(name="partner.transcode")
def transcode(payload):
    asset = int(payload["asset"])
    flags = PRESETS[payload.get("preset", "web")]
    command = f"ffmpeg -y -i /data/in/{asset}.mov {flags} /data/out/{asset}.mp4"
    subprocess.check_call(command, shell=True)
    return asset


@shared_task(name="partner.watermark")
def watermark(payload):
    tool = Watermarker().configure(payload.get("options", {}))
    return tool.add_files("logo.png", "input.png", "output.png").run()


@shared_task(name="partner.finish")
def finish(payload):
    job = UUID(payload["job"])
    result = subprocess.run(
        f"/usr/local/bin/job-done --id {job} && touch /data/done/{job.hex}",
        shell=True,
    )
    return result.returncode
