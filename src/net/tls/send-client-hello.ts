import type { Connection } from '../open-connection.ts';
import type { RequestDeadline } from '../request-deadline.ts';
import { encodeClientHello, type HelloOffer } from './client-hello.ts';
import { parseServerFlight, type ServerFlight } from './server-flight.ts';
import { encodeSsl2Hello, parseSsl2Hello } from './ssl2-hello.ts';
import { createKeyShare } from './tls13-key-share.ts';
import { parseTls13Flight } from './tls13-flight.ts';

/** More than OpenSSL accepts for a certificate chain (100 KiB). */
const MAX_FLIGHT_BYTES = 128 * 1024;

/**
 * Sends a ClientHello and reads the server's flight. The handshake is not completed. Throws `NetError`, `tls` where the answer is not
 * TLS, or has a suite or group that was not offered.
 */
export async function sendClientHello(
  { socket }: Connection,
  serverName: string,
  offer: HelloOffer,
  deadline: RequestDeadline,
): Promise<ServerFlight> {
  const { bytes, parse } = prepare(serverName, offer);
  const { promise, resolve, reject } = Promise.withResolvers<ServerFlight>();
  const rejectAsNotTls = () => reject(deadline.createError('tls', 'the answer to the ClientHello is not TLS'));
  let received = Buffer.alloc(0);
  const read = (isLast: boolean): void => {
    try {
      const flight = parse(received, isLast);
      if (flight !== null) return isOffered(flight, offer) ? resolve(flight) : rejectAsNotTls();
      if (isLast || received.length > MAX_FLIGHT_BYTES) rejectAsNotTls();
    } catch {
      rejectAsNotTls();
    }
  };
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    read(false);
  });
  // Many servers refuse by closing the connection.
  socket.once('close', () => read(true));
  socket.once('end', () => read(true));
  socket.on('error', (error) => (received.length > 0 ? read(true) : reject(error)));
  socket.write(bytes);
  return Promise.race([promise, deadline.abortRejection]);
}

function prepare(
  serverName: string,
  offer: HelloOffer,
): { bytes: Buffer; parse: (received: Buffer, isLast: boolean) => ServerFlight | null } {
  if (offer.version === 'SSLv2') return { bytes: encodeSsl2Hello(), parse: parseSsl2Hello };
  const { keyShareGroup, ...hello } = offer;
  if (keyShareGroup === undefined)
    return { bytes: encodeClientHello({ ...hello, serverName }), parse: parseServerFlight };
  const keyShare = createKeyShare(keyShareGroup);
  const bytes = encodeClientHello({ ...hello, serverName, keyShare });
  return { bytes, parse: (received, isLast) => parseTls13Flight(bytes, received, keyShare, isLast) };
}

/** A server that chooses what was not offered says nothing of what it takes. */
function isOffered({ hello }: ServerFlight, offer: HelloOffer): boolean {
  if (hello === null || offer.version === 'SSLv2') return true;
  return offer.suites.includes(hello.suite) && (hello.group === null || offer.groups.includes(hello.group));
}
