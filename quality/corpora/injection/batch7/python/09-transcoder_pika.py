import json
import os
import subprocess
import sys

import pika

MEDIA = os.path.realpath("/mnt/media")
PRESETS = ("proxy", "mezzanine", "web")


class Rejected(Exception):
    pass


def inside(name):
    full = os.path.realpath(os.path.join(MEDIA, name))
    if os.path.commonpath([MEDIA, full]) != MEDIA:
        raise Rejected(f"{name!r} leaves the media folder")
    return full


def clean(text):
    for bad in (";", "|", "&", ">", "<"):
        text = text.replace(bad, "")
    return text


class Job:
    def __init__(self, raw):
        self.kind = raw["kind"]
        self.source = raw["source"]
        self.options = raw.get("options", {})

    def run(self):
        step = getattr(self, "do_" + self.kind.replace("-", "_"), None)
        if step is None:
            raise Rejected(self.kind)
        return step()

    def do_transcode(self):
        preset = self.options.get("preset")
        if preset not in PRESETS:
            preset = "web"
        source = inside(self.source)
        return subprocess.call(f"ffmpeg-{preset} -nostdin < /dev/null && touch /run/transcode.{preset}", shell=True, cwd=os.path.dirname(source))

    def do_thumbnail(self):
        second = max(0, min(int(self.options.get("at", 0)), 86400))
        source = inside(self.source)
        return subprocess.call(["ffmpeg", "-ss", str(second), "-i", source, "-frames:v", "1", source + ".jpg"])

    def do_loudness(self):
        target = clean(self.options.get("target", "-23"))
        return os.system(f"loudgain -a --pregain={target} /mnt/media/incoming/*.flac")

    def do_concat(self):
        pieces = " ".join([self.source, *self.options.get("more", [])])
        script = f"cd /mnt/media && cat {pieces} > joined.ts"
        return subprocess.run(["bash", "-c", script]).returncode

    def do_describe(self):
        with open(inside(self.source + ".json")) as sidecar:
            print(json.load(sidecar).get("title"))
        return 0


def handle(channel, method, properties, body):
    try:
        status = Job(json.loads(body)).run()
    except (Rejected, KeyError, ValueError, OSError) as exc:
        print("rejected:", exc, file=sys.stderr)
        channel.basic_reject(method.delivery_tag, requeue=False)
    else:
        channel.basic_publish("", properties.reply_to or "done", str(status))
        channel.basic_ack(method.delivery_tag)


if __name__ == "__main__":
    link = pika.BlockingConnection(pika.URLParameters(os.environ["AMQP_URL"]))
    jobs = link.channel()
    jobs.basic_consume("transcode", handle)
    jobs.start_consuming()
