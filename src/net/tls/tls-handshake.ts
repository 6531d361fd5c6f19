import type { TLSSocket } from 'node:tls';
import type { Connection } from '../open-connection.ts';
import type { RequestDeadline } from '../request-deadline.ts';
import type { TlsContexts } from './tls-contexts.ts';
import type { HandshakeResult, HandshakeOptions, TlsVersion } from './handshake-types.ts';
import { upgradeToTls } from './upgrade-to-tls.ts';
import { sentCertificates } from './sent-certificates.ts';
import { RecordingDuplex } from './recording-duplex.ts';

/** A TLS handshake over an open connection that accepts any certificate. Throws `NetError`. */
export async function tlsHandshake(
  { socket, address }: Connection,
  host: string,
  options: HandshakeOptions,
  deadline: RequestDeadline,
  contexts: TlsContexts,
): Promise<Omit<HandshakeResult, 'latencyMs'>> {
  let ocspResponse: Uint8Array | null = null;
  let secret: Buffer | null = null;
  const recorder = new RecordingDuplex(socket);
  const tls = await upgradeToTls(recorder, deadline, {
    serverName: options.serverName ?? host,
    secureContext: contexts.lenient(options),
    anyCertificate: true,
    // As browsers do: some servers refuse clients that offer neither.
    alpn: ['h2', 'http/1.1'],
    requestOCSP: true,
    onSocket: (own) => {
      own.on('OCSPResponse', (response) => {
        if (response?.length > 0) ocspResponse = response;
      });
      own.on('keylog', (line) => {
        secret ??= parseServerHandshakeSecret(line);
      });
    },
  });
  try {
    const { name, standardName } = tls.getCipher();
    return {
      address,
      protocol: tls.getProtocol() as TlsVersion,
      cipher: { name, standardName, bits: cipherKeyBits(standardName) },
      keyExchange: keyExchangeOf(tls),
      certificates:
        sentCertificates(recorder.received, secret && { suite: standardName, secret }) ?? peerCertificateChain(tls),
      authorizationError: tls.authorized ? null : String(tls.authorizationError ?? 'unknown'),
      ocspResponse,
    };
  } finally {
    tls.destroy();
  }
}

function keyExchangeOf(tls: TLSSocket): HandshakeResult['keyExchange'] {
  const info = tls.getEphemeralKeyInfo() as { type?: string; name?: string; size?: number } | null;
  if (typeof info?.type !== 'string') return null;
  return { type: info.type, name: info.name ?? null, bits: info.size ?? null };
}

/** Key length of a cipher suite in bits, from its IANA name; null: unknown. */
function cipherKeyBits(standardName: string): number | null {
  if (/_NULL_/.test(standardName)) return 0;
  if (/_3DES_/.test(standardName)) return 112;
  if (/_DES40_|_40_/.test(standardName)) return 40;
  if (/_DES_/.test(standardName)) return 56;
  if (/_CHACHA20_/.test(standardName)) return 256;
  if (/_(SEED|IDEA)_/.test(standardName)) return 128;
  const [, bits] = /_(?:AES|ARIA|CAMELLIA|RC4)_(128|192|256)_/.exec(standardName) ?? [];
  return bits === undefined ? null : Number(bits);
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
