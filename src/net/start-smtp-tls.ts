import type { Socket } from 'node:net';
import type { RequestDeadline } from './request-deadline.ts';

/** Port of mail servers among themselves (RFC 5321, 4.5.4.2). */
export const SMTP_PORT = 25;
const MAX_REPLY_BYTES = 16 * 1024;
/** No mail is sent, so that no name has to be found by it. */
const CLIENT_NAME = 'localhost.localdomain';

/** Whether the server goes on with TLS; else what it said instead, its first line. */
export type StartTlsReply = { started: true } | { started: false; offered: boolean; said: string };

interface SmtpReply {
  code: number;
  lines: readonly string[];
}

/**
 * The dialogue up to TLS (RFC 3207): greeting, EHLO, STARTTLS, nothing else. After `started` the socket is ready for the handshake and
 * has no listeners of this function. Throws `NetError`: `protocol` where the other side does not speak SMTP.
 */
export async function startSmtpTls(socket: Socket, deadline: RequestDeadline): Promise<StartTlsReply> {
  const greeting = await readReply(socket, deadline);
  if (greeting.code !== 220) return refusal(greeting, false);
  const hello = await ask(socket, `EHLO ${CLIENT_NAME}`, deadline);
  const offered = hello.code === 250 && hello.lines.some((line) => /^STARTTLS\b/i.test(line));
  if (!offered) return refusal(hello, false);
  const ready = await ask(socket, 'STARTTLS', deadline);
  return ready.code === 220 ? { started: true } : refusal(ready, true);
}

function refusal({ code, lines }: SmtpReply, offered: boolean): StartTlsReply {
  return { started: false, offered, said: `${code} ${lines[0] ?? ''}`.trim() };
}

function ask(socket: Socket, command: string, deadline: RequestDeadline): Promise<SmtpReply> {
  socket.write(`${command}\r\n`);
  return readReply(socket, deadline);
}

/** One reply with all its lines (RFC 5321, 4.2.1). Bytes after it would be injected ones, and are refused. */
async function readReply(socket: Socket, deadline: RequestDeadline): Promise<SmtpReply> {
  const { promise, resolve, reject } = Promise.withResolvers<SmtpReply>();
  let received = '';
  const onData = (chunk: Buffer): void => {
    received += chunk.toString('latin1');
    const reply = parseReply(received);
    if (reply === 'broken' || received.length > MAX_REPLY_BYTES)
      reject(deadline.createError('protocol', 'the answer on port 25 is not SMTP'));
    else if (reply !== null) resolve(reply);
  };
  const onClose = (): void => reject(deadline.createError('reset', 'the mail server closed the connection'));
  socket.on('data', onData).once('close', onClose).once('end', onClose).on('error', reject).resume();
  try {
    return await Promise.race([promise, deadline.abortRejection]);
  } finally {
    socket.off('data', onData).off('close', onClose).off('end', onClose).off('error', reject);
    socket.pause();
  }
}

/** Null: not all of it has come. */
function parseReply(text: string): SmtpReply | 'broken' | null {
  if (!text.endsWith('\n')) return /^(?:\d{0,3}|\d{3}[ -])/.test(text) && !/^[^\d]/.test(text) ? null : 'broken';
  const lines = text.split(/\r?\n/).slice(0, -1);
  if (!lines.every((line) => /^\d{3}(?:[ -]|$)/.test(line))) return 'broken';
  const last = lines.findIndex((line) => line[3] !== '-');
  if (last === -1) return null;
  return last < lines.length - 1
    ? 'broken'
    : { code: Number(lines[0]!.slice(0, 3)), lines: lines.map((line) => line.slice(4)) };
}
