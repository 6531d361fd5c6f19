import type { Connection } from '../open-connection.ts';
import type { RequestDeadline } from '../request-deadline.ts';
import { parseChosenSuite, encodeClientHello, type ClientHelloOptions } from './client-hello.ts';

/** Larger than any ServerHello. */
const MAX_SERVER_HELLO_BYTES = 16 * 1024;

/**
 * Sends a ClientHello and waits for the suite that the server chooses; null: it accepts none of them. The handshake is not completed.
 * Throws `NetError`, `tls` where the answer is not TLS.
 */
export async function offerCipherSuites(
  { socket }: Connection,
  hello: ClientHelloOptions,
  deadline: RequestDeadline,
): Promise<number | null> {
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  let received = Buffer.alloc(0);
  const rejectAsNotTls = () => reject(deadline.createError('tls', 'the answer to the ClientHello is not TLS'));
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    try {
      const chosen = parseChosenSuite(received);
      if (chosen === 'refused') return resolve(null);
      if (chosen !== null) return hello.suites.includes(chosen) ? resolve(chosen) : rejectAsNotTls();
      if (received.length > MAX_SERVER_HELLO_BYTES) rejectAsNotTls();
    } catch {
      rejectAsNotTls();
    }
  });
  // Many servers refuse by closing the connection.
  socket.once('close', () => resolve(null));
  socket.once('end', () => resolve(null));
  socket.on('error', reject);
  socket.write(encodeClientHello(hello));
  return Promise.race([promise, deadline.abortRejection]);
}
