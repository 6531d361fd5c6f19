import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect, type SecureContext, type TLSSocket } from 'node:tls';
import type { RequestDeadline } from '../request-deadline.ts';

export interface TlsUpgradeOptions {
  /** Name in SNI, and that the certificate must be for. */
  serverName: string;
  secureContext: SecureContext;
  /** The certificate need not be valid. */
  anyCertificate: boolean;
  /** Protocols offered over it (RFC 7301), the liked one first. */
  alpn: readonly string[];
  requestOCSP?: boolean;
  /** Called before anything is sent. */
  onSocket?: (socket: TLSSocket) => void;
}

/** TLS over a connection that stands. Throws `NetError`. */
export async function upgradeToTls(
  socket: Socket | Duplex,
  deadline: RequestDeadline,
  options: TlsUpgradeOptions,
): Promise<TLSSocket> {
  const { serverName, secureContext, anyCertificate, alpn, requestOCSP = false, onSocket } = options;
  const tls = connect({
    socket,
    // An address is no server name (RFC 6066, 3), but the certificate must be for it all the same.
    ...(isIP(serverName) === 0 ? { servername: serverName } : { host: serverName, servername: '' }),
    secureContext,
    rejectUnauthorized: !anyCertificate,
    requestOCSP,
    ALPNProtocols: [...alpn],
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
