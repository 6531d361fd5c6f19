"""Fetch unseen mails of the claims mailbox and file their attachments."""
import email
import imaplib
import os
from email import policy
from pathlib import Path

from werkzeug.utils import secure_filename

CLAIMS = Path("/srv/claims")


def attachments(message):
    for part in message.walk():
        if part.get_content_maintype() == "multipart":
            continue
        if part.get("Content-Disposition") is None:
            continue
        yield part


def file_away(message):
    box = CLAIMS / "inbox"
    for part in attachments(message):
        name = part.get_filename()
        if not name:
            continue
        with open(box / name, "wb") as out:
            out.write(part.get_payload(decode=True))


def file_photo(part):
    name = secure_filename(part.get_filename() or "photo.jpg") or "photo.jpg"
    (CLAIMS / "photos" / name).write_bytes(part.get_payload(decode=True))


def main():
    box = imaplib.IMAP4_SSL(os.environ["IMAP_HOST"])
    box.login(os.environ["IMAP_USER"], os.environ["IMAP_PASS"])
    box.select("INBOX")
    _, data = box.search(None, "UNSEEN")
    for num in data[0].split():
        _, raw = box.fetch(num, "(RFC822)")
        message = email.message_from_bytes(raw[0][1], policy=policy.default)
        file_away(message)
        for part in message.iter_attachments():
            if part.get_content_maintype() == "image":
                file_photo(part)


if __name__ == "__main__":
    main()
