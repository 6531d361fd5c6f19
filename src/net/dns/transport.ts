import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { isResponseTo } from './message.ts';
import type { DnsServer } from './servers.ts';

/**
 * One question over UDP, from a port of its own that the system picks at random. Datagrams from elsewhere, or with another id, are
 * not looked at. Rejects with the reason of `signal`, or with what the socket says.
 */
export function queryOverUdp(server: DnsServer, id: number, question: Buffer, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(server.host) ? 'udp6' : 'udp4');
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', stop);
      socket.removeAllListeners('message');
      try {
        socket.close();
      } catch {
        // Closed by an error before.
      }
      settle();
    };
    const stop = (): void => end(() => reject(signal.reason));
    socket.on('error', (error) => end(() => reject(error)));
    socket.on('message', (bytes) => {
      if (isResponseTo(id, bytes)) end(() => resolve(bytes));
    });
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) return stop();
    // Connected, so that the kernel lets nobody else answer.
    socket.connect(server.port, server.host, () => {
      if (!signal.aborted) socket.send(question);
    });
  });
}

/** One question over TCP (RFC 7766), for answers that a datagram cannot hold. */
export function queryOverTcp(server: DnsServer, id: number, question: Buffer, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, server.host);
    const chunks: Buffer[] = [];
    let received = 0;
    let expected: number | null = null;
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', stop);
      socket.destroy();
      settle();
    };
    const stop = (): void => end(() => reject(signal.reason));
    const length = Buffer.alloc(2);
    length.writeUInt16BE(question.length);
    socket.on('error', (error) => end(() => reject(error)));
    socket.on('close', () => end(() => reject(new Error('closed before the answer was complete'))));
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      received += chunk.length;
      if (expected === null && received >= 2) expected = 2 + Buffer.concat(chunks).readUInt16BE(0);
      if (expected === null || received < expected) return;
      const answer = Buffer.concat(chunks).subarray(2, expected);
      end(() => (isResponseTo(id, answer) ? resolve(answer) : reject(new Error('an answer to another question'))));
    });
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) return stop();
    socket.write(Buffer.concat([length, question]));
  });
}
