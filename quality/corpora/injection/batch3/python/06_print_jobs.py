import json
import os
import subprocess
from collections import deque

import pika

pending = deque()


def on_message(channel, method, properties, body):
    job = json.loads(body)
    pending.append(job["printer"])
    pending.append("standard-letter")
    printer = pending.popleft()
    form = pending.pop()

    os.system("lpstat -p " + printer)
    os.system("lpadmin -p frontdesk -o media=" + form)

    args = ["lp", "-d", "frontdesk"]
    args.append("-n")
    args.append(str(int(job.get("copies", 1))))
    args.append("/var/spool/letters/current.pdf")
    subprocess.run(args, check=True)

    words = ["logger -t letters printed"]
    words.extend(job.get("labels", []))
    subprocess.call(" ".join(words), shell=True)
    channel.basic_ack(delivery_tag=method.delivery_tag)


def main():
    connection = pika.BlockingConnection(pika.ConnectionParameters("mq.internal"))
    channel = connection.channel()
    channel.queue_declare(queue="letters", durable=True)
    channel.basic_consume(queue="letters", on_message_callback=on_message)
    channel.start_consuming()


if __name__ == "__main__":
    main()
