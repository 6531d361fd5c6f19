import type { Socket } from 'node:net';
import type { RequestDeadline } from './request-deadline.ts';

/** Port of WHOIS (RFC 3912, 2). */
export const WHOIS_PORT = 43;

/** Sends one line and reads until the other side closes, up to `maxBytes` (`too_large`). Throws `NetError`. */
export async function sendLine(
  socket: Socket,
  line: string,
  maxBytes: number,
  deadline: RequestDeadline,
): Promise<string> {
  if (/[\r\n]/.test(line)) throw deadline.createError('protocol', 'a query is one line');
  const chunks: Buffer[] = [];
  let received = 0;
  try {
    socket.write(`${line}\r\n`);
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received > maxBytes) throw deadline.createError('too_large', `more than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    if (deadline.signal.aborted) throw deadline.signal.reason;
    return decodeText(Buffer.concat(chunks));
  } catch (error) {
    throw deadline.toNetError(deadline.signal.aborted ? deadline.signal.reason : error);
  } finally {
    socket.destroy();
  }
}

/** WHOIS has no charset label (RFC 3912, 4): valid UTF-8 is decoded as such, other text as ISO 8859-1. */
function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}
