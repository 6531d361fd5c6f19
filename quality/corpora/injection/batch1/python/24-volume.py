import os
import subprocess

from flask import Flask, request

app = Flask(__name__)


@app.post("/volume")
def volume():
    try:
        level = int(request.form["level"])
    except ValueError:
        return "level must be a number", 400
    os.system(f"amixer set Master {level}%")
    return "", 204


@app.post("/brightness")
def brightness():
    level = request.form["level"]
    try:
        float(level.split()[0])
    except ValueError:
        return "level must be a number", 400
    subprocess.run(f"xbacklight -set {level}", shell=True)
    return "", 204


if __name__ == "__main__":
    app.run()
