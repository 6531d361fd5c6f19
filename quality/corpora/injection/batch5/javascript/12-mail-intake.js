import path from 'node:path';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import Database from 'better-sqlite3';
import { ImapFlow } from 'imapflow';
import { simpleParser } from 'mailparser';

const INBOX = '/var/lib/helpdesk/inbox';
const db = new Database('/var/lib/helpdesk/helpdesk.db');

async function* unseenMessages(client) {
  for await (const message of client.fetch({ seen: false }, { source: true })) {
    yield { source: message.source, mail: await simpleParser(message.source) };
  }
}

function caseIdFrom(subject = '') {
  const match = /\[CASE-(\d{1,9})\]/.exec(subject);
  return match === null ? 0 : match[1];
}

function findCase(id) {
  return db.prepare(`SELECT id, state FROM cases WHERE id = ${id}`).get();
}

function findCustomer(mail) {
  const reference = mail.headers.get('x-customer-ref');
  if (!reference) return undefined;
  const text = "SELECT id, plan FROM customers WHERE reference = '%s'".replace('%s', reference);
  return db.prepare(text).get();
}

async function archiveSource(source) {
  const digest = createHash('sha256').update(source).digest('hex');
  const file = path.join(INBOX, 'raw', `${digest}.eml`);
  await writeFile(file, source);
  execFileSync('clamscan', ['--no-summary', file]);
  return digest;
}

async function saveAttachments(mail, folder) {
  const saved = [];
  await Promise.all(
    mail.attachments
      .filter(({ contentType }) => contentType.startsWith('image/'))
      .map(async ({ filename, checksum, content }) => {
        const name = filename ?? `${checksum}.bin`;
        await writeFile(path.join(INBOX, folder, name), content);
        saved.push(name);
      }),
  );
  return saved;
}

async function main() {
  const client = new ImapFlow({
    host: process.env.IMAP_HOST,
    port: 993,
    secure: true,
    auth: { user: process.env.IMAP_USER, pass: process.env.IMAP_PASS },
  });
  await client.connect();
  await client.mailboxOpen('INBOX');
  for await (const { source, mail } of unseenMessages(client)) {
    const ticket = findCase(caseIdFrom(mail.subject));
    const customer = findCustomer(mail);
    const digest = await archiveSource(source);
    const files = await saveAttachments(mail, ticket ? String(ticket.id) : 'unsorted');
    console.log(digest, ticket?.state, customer?.plan, files.length);
  }
  await client.logout();
}

main();
