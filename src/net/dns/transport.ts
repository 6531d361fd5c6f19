import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { onAbort } from '../on-abort.ts';
import { isResponseTo } from './message.ts';
import type { DnsServer } from './servers.ts';

/**
 * One query over UDP, from a port of its own that the system picks at random. Datagrams from elsewhere, or with another id, are
 * ignored. Rejects with the reason of `signal`, or with the error of the socket.
 */
export function queryOverUdp(server: DnsServer, id: number, question: Buffer, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const removeListener = onAbort(signal, () => end(() => reject(signal.reason)));
    const socket = createSocket(isIPv6(server.host) ? 'udp6' : 'udp4');
    const end = (settle: () => void): void => {
      removeListener();
      socket.removeAllListeners('message');
      try {
        socket.close();
      } catch {
        // Closed already, by an error.
      }
      settle();
    };
    socket.on('error', (error) => end(() => reject(error)));
    socket.on('message', (bytes) => {
      if (isResponseTo(id, bytes)) end(() => resolve(bytes));
    });
    // Connected, so that the kernel drops datagrams of other senders.
    socket.connect(server.port, server.host, () => {
      if (!signal.aborted) socket.send(question);
    });
  });
}

/** One query over TCP (RFC 7766), for responses that a datagram cannot hold. */
export function queryOverTcp(server: DnsServer, id: number, question: Buffer, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const removeListener = onAbort(signal, () => end(() => reject(signal.reason)));
    const socket = connect(server.port, server.host);
    const chunks: Buffer[] = [];
    let received = 0;
    let expected: number | null = null;
    const end = (settle: () => void): void => {
      removeListener();
      socket.destroy();
      settle();
    };
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
    socket.write(Buffer.concat([length, question]));
  });
}
