import ipaddress
import json
import logging
import subprocess

import mysql.connector
import yaml
from kafka import KafkaConsumer

log = logging.getLogger("fleet")

HANDLERS = {}


def handles(kind):
    def wrap(fn):
        HANDLERS[kind] = fn
        return fn
    return wrap


class Store:
    def __init__(self):
        self.db = mysql.connector.connect(host="db", database="fleet", user="fleet")

    def run(self, query, args=()):
        cur = self.db.cursor()
        try:
            cur.execute(query, args)
            return cur.fetchall() if cur.with_rows else []
        finally:
            cur.close()
            self.db.commit()


store = Store()


@handles("position")
def on_position(msg):
    store.run(
        "INSERT INTO positions (vin, lat, lon) VALUES (%s, %s, %s)",
        (msg["vin"], msg["lat"], msg["lon"]),
    )


@handles("retired")
def on_retired(msg):
    store.run("UPDATE vehicles SET active = 0 WHERE vin = '" + msg["vin"] + "'")


@handles("profile")
def on_profile(msg):
    profile = yaml.safe_load(msg["profile"])
    log.info("profile with %d keys", len(profile))


@handles("script")
def on_script(msg):
    script = yaml.load(msg["script"], Loader=yaml.UnsafeLoader)
    log.info("script with %d steps", len(script))


@handles("ping")
def on_ping(msg):
    try:
        address = ipaddress.IPv4Address(msg["address"])
    except ValueError:
        log.warning("not an address")
        return
    code = subprocess.call(f"ping -c 1 -W 2 {address} > /dev/null", shell=True)
    log.info("ping %s: %s", address, code)


@handles("reboot")
def on_reboot(msg):
    host = msg["host"].split(";")[0]
    code = subprocess.call(f"ssh fleet@{host} sudo reboot", shell=True)
    log.info("reboot %s: %s", host, code)


def main():
    consumer = KafkaConsumer("fleet-events", bootstrap_servers="kafka:9092", group_id="fleet")
    for record in consumer:
        msg = json.loads(record.value)
        handler = HANDLERS.get(msg.get("kind"))
        if handler is None:
            continue
        try:
            handler(msg)
        except Exception:
            log.exception("message failed")


if __name__ == "__main__":
    main()
