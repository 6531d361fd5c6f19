import email
import hashlib
import imaplib
import os
import sqlite3
import subprocess
from email import policy
from email.utils import parseaddr

SPOOL = "/var/spool/tickets"
QUEUES = {"billing@example.org": "billing", "abuse@example.org": "abuse"}


def messages(host, user, secret):
    box = imaplib.IMAP4_SSL(host)
    box.login(user, secret)
    box.select("INBOX")
    _, found = box.search(None, "UNSEEN")
    for number in found[0].split():
        _, data = box.fetch(number, "(RFC822)")
        yield email.message_from_bytes(data[0][1], policy=policy.default)
    box.logout()


def attachments(message):
    for part in message.iter_attachments():
        yield part.get_filename() or "unnamed", part.get_payload(decode=True) or b""


class Intake:
    def __init__(self, con: sqlite3.Connection):
        self.con = con

    def note_sender(self, message):
        name, address = parseaddr(message["From"])
        self.con.execute(
            "UPDATE senders SET last_name = '" + name + "', seen = seen + 1 WHERE address = ?", (address,)
        )
        self.con.execute("INSERT OR IGNORE INTO senders (address, last_name) VALUES (?, ?)", (address, name))
        self.con.commit()

    def keep(self, message):
        for filename, content in attachments(message):
            with open(f"{SPOOL}/raw/{filename}", "wb") as out:
                out.write(content)

    def keep_digest(self, message):
        for filename, content in attachments(message):
            digest = hashlib.sha256(content + filename.encode()).hexdigest()
            with open(os.path.join(SPOOL, "store", digest[:2] + "-" + digest), "wb") as out:
                out.write(content)

    def announce(self, message):
        subject = (message["Subject"] or "").replace('"', "")
        queue = QUEUES.get(parseaddr(message["To"])[1], "general")
        subprocess.Popen(f'notify-desk --queue {queue} --subject "{subject}"', shell=True)


def main():
    intake = Intake(sqlite3.connect("/var/lib/tickets/senders.db"))
    for message in messages("imap.example.org", "tickets", os.environ["MAIL_SECRET"]):
        intake.note_sender(message)
        intake.keep(message)
        intake.keep_digest(message)
        intake.announce(message)


if __name__ == "__main__":
    main()
