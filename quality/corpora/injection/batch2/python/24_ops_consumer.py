import json
import subprocess

from kafka import KafkaConsumer

ACTIONS = {
    "restart": lambda m: "systemctl restart " + m["unit"],
    "rotate": lambda m: "logrotate -f /etc/logrotate.conf",
    "grep": lambda m: ["grep", "-F", "--", m["text"], "/var/log/syslog"],
}


def with_retry(fn, times=3):
    for _ in range(times):
        if fn() == 0:
            return True
    return False


def on_restart(msg):
    command = ACTIONS["restart"](msg)
    return with_retry(lambda: subprocess.call(command, shell=True))


def on_rotate(msg):
    command = ACTIONS["rotate"](msg)
    return with_retry(lambda: subprocess.call(command, shell=True))


def on_grep(msg):
    command = ACTIONS["grep"](msg)
    return with_retry(lambda: subprocess.call(command))


def each(consumer, callback):
    for record in consumer:
        callback(json.loads(record.value))


def on_message(msg):
    {"restart": on_restart, "rotate": on_rotate, "grep": on_grep}[msg["action"]](msg)


each(KafkaConsumer("ops", bootstrap_servers="kafka:9092"), on_message)
