import asyncio
import hashlib
import sqlite3
from email import message_from_bytes, policy
from email.utils import parseaddr
from pathlib import Path

from aiosmtpd.controller import Controller

PHOTOS = Path("/srv/lostproperty/photos")
LETTERS = Path("/srv/lostproperty/letters")
LETTERS_OK = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_")


def slug(text):
    kept = "".join(c for c in text.lower() if c in LETTERS_OK)
    return kept[:60] or "unnamed"


class Register:
    def __init__(self, path):
        self.db = sqlite3.connect(path, check_same_thread=False)

    def add(self, sender, subject, digest):
        self.db.execute(
            "INSERT INTO items(sender, subject, digest) VALUES (?, ?, ?)",
            (sender, subject, digest),
        )
        self.db.commit()

    def count_from(self, mailbox):
        query = f"SELECT count(*) FROM items WHERE sender LIKE '{mailbox}@%'"
        return self.db.execute(query).fetchone()[0]


class Inbox:
    def __init__(self, register):
        self.register = register

    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
        if not address.endswith("@lost.tramways.example"):
            return "550 not here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = message_from_bytes(envelope.content, policy=policy.default)
        _, sender = parseaddr(str(mail["From"]))
        mailbox = sender.rpartition("@")[0]
        if self.register.count_from(mailbox) > 20:
            return "452 too many reports"
        subject = str(mail["Subject"] or "")
        for part in mail.iter_attachments():
            payload = part.get_payload(decode=True) or b""
            if part.get_content_maintype() == "image":
                digest = hashlib.sha256(payload).hexdigest()
                (PHOTOS / f"{digest}.img").write_bytes(payload)
                self.register.add(sender, subject, digest)
            else:
                name = (part.get_filename() or "letter.txt").replace("../", "")
                (LETTERS / name).write_bytes(payload)
        body = mail.get_body(("plain",))
        if body is not None:
            copy = LETTERS / "bodies" / (slug(subject) + ".txt")
            copy.write_text(body.get_content())
        return "250 thank you"


def main():
    controller = Controller(Inbox(Register("/srv/lostproperty/items.db")), hostname="0.0.0.0", port=8025)
    controller.start()
    try:
        asyncio.new_event_loop().run_forever()
    finally:
        controller.stop()


if __name__ == "__main__":
    main()
