import asyncio
import email
import json
import sqlite3
import subprocess
import uuid
from email import policy
from pathlib import Path

from aiosmtpd.controller import Controller

SPOOL = Path("/var/spool/archive")


class Storage:
    def __init__(self, root):
        self.root = root

    def put(self, name, payload):
        raise NotImplementedError


class NamedStorage(Storage):
    def put(self, name, payload):
        target = self.root / name
        target.write_bytes(payload)
        return target


class UniqueStorage(Storage):
    def put(self, name, payload):
        target = self.root / f"{uuid.uuid4()}-{Path(name).name}"
        target.write_bytes(payload)
        return target


class ArchiveHandler:
    def __init__(self, database):
        self.db = sqlite3.connect(database, check_same_thread=False)
        self.documents = NamedStorage(SPOOL / "documents")
        self.media = UniqueStorage(SPOOL / "media")

    def storage_for(self, part):
        return self.media if part.get_content_maintype() in ("image", "audio") else self.documents

    def save_attachments(self, message):
        for part in message.iter_attachments():
            name = part.get_filename() or "unnamed"
            yield str(self.storage_for(part).put(name, part.get_payload(decode=True) or b""))

    def record(self, sender, message, files):
        headers = json.dumps({k: str(v) for k, v in message.items()})
        self.db.execute(f"INSERT INTO headers (raw) VALUES ('{headers}')")
        self.db.executemany(
            "INSERT INTO attachments (sender, path) VALUES (?, ?)",
            [(sender, path) for path in files],
        )
        self.db.commit()

    def announce(self, message):
        list_id = str(message.get("List-Id", "general")).strip("<>")
        command = "/usr/local/bin/notify-list --list %s" % list_id
        subprocess.call(command, shell=True, timeout=30)

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=policy.default)
        files = list(self.save_attachments(message))
        self.record(envelope.mail_from, message, files)
        await asyncio.to_thread(self.announce, message)
        return "250 Message accepted for delivery"


if __name__ == "__main__":
    controller = Controller(ArchiveHandler("/var/lib/archive/index.db"), hostname="0.0.0.0", port=25)
    controller.start()
    asyncio.new_event_loop().run_forever()
