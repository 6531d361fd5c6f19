import json
import logging
import os
import subprocess
import threading

import paho.mqtt.client as mqtt

SHOWS = "/opt/dome/shows"
LOGS = "/var/log/dome"

ACTIONS = {
    "lamp-on": "domectl lamp 1",
    "lamp-off": "domectl lamp 0",
    "park": "domectl park --wait",
}


class DomeController:
    def __init__(self):
        self._handlers = {}
        self._lock = threading.Lock()

    def on(self, prefix):
        def register(fn):
            self._handlers[prefix] = fn
            return fn
        return register

    def dispatch(self, client, userdata, message):
        _, prefix, rest = message.topic.split("/", 2)
        handler = self._handlers.get(prefix)
        if handler is None:
            return
        try:
            data = json.loads(message.payload or b"{}")
            with self._lock:
                answer = handler(rest, data)
        except (ValueError, KeyError, OSError) as exc:
            logging.warning("%s: %s", message.topic, exc)
            return
        client.publish(f"reply/{prefix}", json.dumps(answer))


dome = DomeController()


@dome.on("action")
def run_action(name, data):
    line = ACTIONS.get(name)
    if line is None:
        return {"error": "unknown action"}
    return {"exit": subprocess.call(line, shell=True)}


@dome.on("slew")
def slew(_, data):
    azimuth, altitude = float(data["az"]), float(data["alt"])
    out = os.popen(f"domectl slew {azimuth:.2f} {altitude:.2f}")
    return {"said": out.read().strip()}


@dome.on("announce")
def announce(language, data):
    voice = data.get("voice", "en-gb")
    proc = subprocess.Popen(
        "espeak -v " + voice + " --stdin", shell=True, stdin=subprocess.PIPE, text=True
    )
    proc.communicate(data["text"])
    return {"exit": proc.returncode}


@dome.on("show")
def show_script(name, data):
    if name not in os.listdir(SHOWS):
        raise KeyError(name)
    with open(os.path.join(SHOWS, name)) as fh:
        return {"script": fh.read()}


@dome.on("log")
def tail_log(name, data):
    lines = int(data.get("lines", 20))
    with open(f"{LOGS}/{name}.log", errors="replace") as fh:
        return {"tail": fh.readlines()[-lines:]}


def main():
    client = mqtt.Client()
    client.on_message = dome.dispatch
    client.connect(os.environ.get("MQTT_HOST", "localhost"))
    client.subscribe("dome/#")
    client.loop_forever()


if __name__ == "__main__":
    main()
