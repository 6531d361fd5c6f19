import json
from collections import deque

import pika
import psycopg2

conn = psycopg2.connect("dbname=warehouse")


def process(message):
    todo = deque()
    todo.append("archived")
    todo.append(message["label"])

    with conn, conn.cursor() as cur:
        state = todo.popleft()
        cur.execute("UPDATE parcels SET state = '" + state + "' WHERE due < now()")
        label = todo.popleft()
        cur.execute("UPDATE parcels SET printed = true WHERE label = '" + label + "'")


def on_message(channel, method, properties, body):
    try:
        process(json.loads(body))
    except (KeyError, ValueError):
        channel.basic_nack(method.delivery_tag, requeue=False)
        return
    channel.basic_ack(method.delivery_tag)


def main():
    connection = pika.BlockingConnection(pika.ConnectionParameters("mq"))
    channel = connection.channel()
    channel.queue_declare(queue="parcels", durable=True)
    channel.basic_consume(queue="parcels", on_message_callback=on_message)
    channel.start_consuming()


if __name__ == "__main__":
    main()
