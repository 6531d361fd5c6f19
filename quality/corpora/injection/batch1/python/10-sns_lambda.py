import json
import os
import subprocess

WORK = "/tmp/render"


def unwrap(event):
    for record in event.get("Records", []):
        yield json.loads(record["Sns"]["Message"])


def handler(event, context):
    done = []
    os.makedirs(WORK, exist_ok=True)
    for message in unwrap(event):
        envelope = json.dumps({"scene": message["scene"], "fps": int(message.get("fps", 25))})
        spec = json.loads(envelope)
        subprocess.run(
            "blender -b /opt/scenes/{scene}.blend -a".format(**spec),
            shell=True,
            check=True,
        )
        subprocess.run(
            "ffmpeg -r {fps} -i /tmp/render/%04d.png /tmp/render/out.mp4".format(fps=spec["fps"]),
            shell=True,
            check=True,
        )
        done.append(spec["fps"])
    return {"rendered": len(done)}
