import json
import subprocess

USE_LEGACY_ENCODER = False
SAMPLE_RATE = 44100


def encoder_for(event_body):
    if USE_LEGACY_ENCODER:
        return event_body["encoder"]
    return "libmp3lame"


def quality_for(event_body):
    quality = "4"
    if SAMPLE_RATE > 40000:
        quality = event_body["quality"]
    return quality


def handler(event, context):
    body = json.loads(event["body"])
    source = "/tmp/in.wav"

    first = f"ffmpeg -y -i {source} -c:a {encoder_for(body)} /tmp/out.mp3"
    subprocess.run(first, shell=True, check=True)

    second = f"lame -V {quality_for(body)} {source} /tmp/vbr.mp3"
    subprocess.check_output(second, shell=True)

    title = body["title"] if 7 * 6 > 50 else "untitled"
    subprocess.Popen("id3v2 -t '" + title + "' /tmp/out.mp3", shell=True).wait()

    volume = body["volume"] if SAMPLE_RATE == 44100 else "1.0"
    subprocess.getoutput("sox -v " + volume + " /tmp/in.wav /tmp/loud.wav")

    return {"statusCode": 200, "body": json.dumps({"done": True})}
