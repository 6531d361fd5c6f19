import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect, type SecureContext, type TLSSocket } from 'node:tls';
import type { RequestDeadline } from '../request-deadline.ts';

export interface TlsUpgradeOptions {
  /** Name in SNI, for which the certificate must be valid. */
  serverName: string;
  secureContext: SecureContext;
  /** Accepts any certificate. */
  anyCertificate: boolean;
  /** Protocols offered by ALPN (RFC 7301), the preferred one first. */
  alpn: readonly string[];
  requestOCSP?: boolean;
  /** A session of an earlier connection to the same server, which the server may resume. */
  session?: Buffer | undefined;
  /** Called before anything is sent. */
  onSocket?: (socket: TLSSocket) => void;
}

/** TLS over an open connection. Throws `NetError`. */
export async function upgradeToTls(
  socket: Socket | Duplex,
  deadline: RequestDeadline,
  options: TlsUpgradeOptions,
): Promise<TLSSocket> {
  const { serverName, secureContext, anyCertificate, alpn, requestOCSP = false, session, onSocket } = options;
  const tls = connect({
    socket,
    // SNI must not contain an IP address (RFC 6066, 3), but the certificate must match it.
    ...(isIP(serverName) === 0 ? { servername: serverName } : { host: serverName, servername: '' }),
    secureContext,
    rejectUnauthorized: !anyCertificate,
    requestOCSP,
    ALPNProtocols: [...alpn],
    ...(session && { session }),
  });
  onSocket?.(tls);
  const { promise: handshakeDone, resolve, reject } = Promise.withResolvers<void>();
  tls.once('secureConnect', resolve);
  tls.once('close', () => reject(deadline.createError('reset', 'the connection was closed during the TLS handshake')));
  tls.on('error', reject);
  handshakeDone.catch(() => {});
  try {
    await Promise.race([handshakeDone, deadline.abortRejection]);
    deadline.onAbort(() => tls.destroy(deadline.signal.reason));
    return tls;
  } catch (error) {
    tls.destroy();
    throw deadline.toNetError(error);
  }
}
