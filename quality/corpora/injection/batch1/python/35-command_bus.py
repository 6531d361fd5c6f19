import json
import os
from dataclasses import dataclass

import redis


@dataclass
class Command:
    kind: str
    subject: str
    origin: str = "queue"


class Shell:
    def run(self, line):
        return os.popen(line).read()

    def uptime(self):
        return os.popen("uptime").read()


class Handler:
    def __init__(self, shell):
        self.shell = shell

    def handle(self, command):
        method = getattr(self, "on_" + command.kind, None)
        return method(command) if method else None

    def on_lines(self, command):
        return self.shell.run("wc -l " + command.subject)

    def on_uptime(self, command):
        return self.shell.uptime()


class Bus:
    def __init__(self, url):
        self.queue = redis.Redis.from_url(url)
        self.handler = Handler(Shell())

    def step(self):
        _, raw = self.queue.blpop("commands")
        self.queue.rpush("replies", self.handler.handle(Command(**json.loads(raw))) or "")


def main():
    bus = Bus("redis://cache/1")
    while True:
        bus.step()


if __name__ == "__main__":
    main()
