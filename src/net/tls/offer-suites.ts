import type { Dialled } from '../dial.ts';
import type { Exchange } from '../exchange.ts';
import { chosenSuite, clientHello, type Hello } from './hello.ts';

/** More than any ServerHello with its record. */
const MAX_BYTES = 16 * 1024;

/**
 * Sends a ClientHello and waits for the suite that the server chooses; null: it takes none of them. The handshake is not carried
 * on. Throws `NetError`: `tls` for what is no TLS.
 */
export async function offerSuites({ socket }: Dialled, hello: Hello, exchange: Exchange): Promise<number | null> {
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  let received = Buffer.alloc(0);
  const noTls = () => reject(exchange.error('tls', 'the answer to the ClientHello is not TLS'));
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    try {
      const chosen = chosenSuite(received);
      if (chosen === 'refused') return resolve(null);
      if (chosen !== null) return hello.suites.includes(chosen) ? resolve(chosen) : noTls();
      if (received.length > MAX_BYTES) noTls();
    } catch {
      noTls();
    }
  });
  // Many servers refuse by closing.
  socket.once('close', () => resolve(null));
  socket.once('end', () => resolve(null));
  socket.on('error', reject);
  socket.write(clientHello(hello));
  return Promise.race([promise, exchange.aborted]);
}
