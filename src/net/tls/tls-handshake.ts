import { setTimeout as pause } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { suiteKeyBits } from '../../analysis/tls/suite-properties.ts';
import type { Connection } from '../open-connection.ts';
import type { RequestDeadline } from '../request-deadline.ts';
import type { TlsContexts } from './tls-contexts.ts';
import type { HandshakeResult, HandshakeOptions, TlsVersion } from './handshake-types.ts';
import { upgradeToTls } from './upgrade-to-tls.ts';
import { sentCertificates } from './sent-certificates.ts';
import { RecordingDuplex } from './recording-duplex.ts';

const MIN_PATIENCE_MS = 400;

/** A TLS handshake over an open connection that accepts any certificate. Throws `NetError`. */
export async function tlsHandshake(
  { socket, address, startedAt }: Connection,
  host: string,
  options: HandshakeOptions,
  deadline: RequestDeadline,
  contexts: TlsContexts,
): Promise<Omit<HandshakeResult, 'latencyMs'>> {
  let ocspResponse: Uint8Array | null = null;
  let secret: Buffer | null = null;
  const { promise: sessionComes, resolve: takeSession } = Promise.withResolvers<Buffer>();
  const recorder = new RecordingDuplex(socket);
  const tls = await upgradeToTls(recorder, deadline, {
    serverName: options.serverName ?? host,
    secureContext: contexts.lenient(options),
    anyCertificate: true,
    // As browsers do: some servers refuse clients that offer neither.
    alpn: ['h2', 'http/1.1'],
    requestOCSP: true,
    session: options.session,
    onSocket: (own) => {
      own.on('OCSPResponse', (response) => {
        if (response?.length > 0) ocspResponse = response;
      });
      own.on('session', takeSession);
      own.on('keylog', (line) => {
        secret ??= parseServerHandshakeSecret(line);
      });
    },
  });
  try {
    const { name, standardName } = tls.getCipher();
    // Messages after the handshake are read only while data flows.
    if (options.wantsSession === true || options.renegotiate === true) tls.resume();
    const session = options.wantsSession === true ? await withinPatience(sessionComes, startedAt) : null;
    const renegotiated = options.renegotiate === true ? await withinPatience(renegotiate(tls), startedAt) : null;
    return {
      session,
      resumed: tls.isSessionReused(),
      renegotiated,
      alpn: typeof tls.alpnProtocol === 'string' ? tls.alpnProtocol : null,
      address,
      protocol: tls.getProtocol() as TlsVersion,
      cipher: { name, standardName, bits: suiteKeyBits(standardName) },
      keyExchange: keyExchangeOf(tls),
      certificates:
        sentCertificates(recorder.received, secret && { suite: standardName, secret }) ?? peerCertificateChain(tls),
      authorizationError: tls.authorized ? null : String(tls.authorizationError ?? 'unknown'),
      ocspResponse,
    };
  } finally {
    // OpenSSL forgets the session of a connection that ends without a word (RFC 5246, 7.2.1).
    if (options.wantsSession === true) await withinPatience(end(tls), startedAt);
    tls.destroy();
  }
}

function end(tls: TLSSocket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (tls.destroyed) resolve();
  tls.once('close', () => resolve());
  tls.end();
  return promise;
}

/** Null where nothing comes within the time that connecting and the handshake took: what the server sends by itself takes less. */
async function withinPatience<T>(promise: Promise<T>, startedAt: number): Promise<T | null> {
  const patience = Math.max(MIN_PATIENCE_MS, performance.now() - startedAt);
  const stop = new AbortController();
  try {
    return await Promise.race([promise, pause(patience, null, { signal: stop.signal })]);
  } finally {
    stop.abort();
  }
}

/** False where the server refuses, by an alert or by closing. */
function renegotiate(tls: TLSSocket): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  tls.once('close', () => resolve(false));
  tls.once('error', () => resolve(false));
  tls.renegotiate({ rejectUnauthorized: false }, (error) => resolve(error === null));
  return promise;
}

function keyExchangeOf(tls: TLSSocket): HandshakeResult['keyExchange'] {
  const info = tls.getEphemeralKeyInfo() as { type?: string; name?: string; size?: number } | null;
  if (typeof info?.type !== 'string') return null;
  return { type: info.type, name: info.name ?? null, bits: info.size ?? null };
}

function parseServerHandshakeSecret(line: Buffer): Buffer | null {
  const [label, , secret] = line.toString('latin1').trim().split(' ');
  return label === 'SERVER_HANDSHAKE_TRAFFIC_SECRET' && secret !== undefined ? Buffer.from(secret, 'hex') : null;
}

/** The chain as Node returns it: the fallback where the Certificate message cannot be read. */
function peerCertificateChain(tls: TLSSocket): Uint8Array[] {
  const chain: Uint8Array[] = [];
  const seen = new Set<string>();
  let certificate = tls.getPeerCertificate(true);
  while (certificate?.raw !== undefined && !seen.has(certificate.fingerprint256)) {
    seen.add(certificate.fingerprint256);
    chain.push(certificate.raw);
    certificate = certificate.issuerCertificate;
  }
  return chain;
}
