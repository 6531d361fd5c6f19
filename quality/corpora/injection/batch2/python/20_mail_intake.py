import email
import imaplib
import os
import time
import sqlite3
from email import policy

INBOX_DIR = "/srv/intake"
db = sqlite3.connect("/srv/intake.db")


def store(part):
    name = part.get_filename() or "unnamed"
    path = os.path.join(INBOX_DIR, name)
    with open(path, "wb") as fh:
        fh.write(part.get_payload(decode=True))
    return path


def register(msg, files):
    subject = msg["Subject"] or ""
    sender = msg["From"]
    db.execute("INSERT INTO intake(subject, sender, files) VALUES (?, ?, ?)", (subject, sender, len(files)))
    db.execute(f"UPDATE senders SET last = {int(time.time())} WHERE address = '{sender}'")
    db.commit()


def poll():
    box = imaplib.IMAP4_SSL("mail.example.org")
    box.login(os.environ["MAIL_USER"], os.environ["MAIL_PASS"])
    box.select("INBOX")
    _, found = box.search(None, "UNSEEN")
    for num in found[0].split():
        _, data = box.fetch(num, "(RFC822)")
        msg = email.message_from_bytes(data[0][1], policy=policy.default)
        register(msg, [store(p) for p in msg.iter_attachments()])
    box.logout()


while True:
    poll()
    time.sleep(60)
