import { TLS_VERSIONS, type TlsFacts, type TlsVersion } from '../../analysis/tls/facts.ts';
import { NetError } from '../../net/net-error.ts';
import type { Handshake } from '../../net/tls/handshake.ts';
import type { Source, Way } from '../source.ts';
import { certificateFacts } from './certificate.ts';
import { buildChain } from './chain.ts';

export interface TlsQuestion {
  /** ASCII form. */
  host: string;
  port: number;
  /** The certificate and what is agreed with it, without a try of each version and of weak ciphers. */
  brief: boolean;
}

const TRY_MS = 5000;

/** A TLS server, looked at by handshakes: one as it likes it, one for each version, and two for what it should not take. */
export const tls: Source<TlsQuestion, TlsFacts> = {
  policy: {
    id: 'tls',
    title: 'TLS handshake with the target',
    provides: 'certificate chain, protocol versions and ciphers',
    address: null,
    timeoutMs: 8000,
    maxBytes: 256 * 1024,
    ttlSeconds: 60,
    concurrency: 100,
    key: null,
  },
  async ask({ host, port, brief }, way) {
    const first = await way.net.handshake(host, { port, timeoutMs: TRY_MS, signal: way.signal });
    const [chain, protocols, takesStaticRsa, takesOnlyCbc] = await Promise.all([
      buildChain(first.certificates, first.authorizationError, way),
      brief ? onlyKnown(first) : versions(host, port, first, way),
      brief || first.keyExchange === null ? null : takes(host, port, way, 'kRSA:@SECLEVEL=0'),
      brief || isAead(first.cipher.standardName) ? false : takes(host, port, way, 'AESGCM:CHACHA20:AESCCM').then(not),
    ]);
    const { name, standardName, bits } = first.cipher;
    return {
      negotiated: { protocol: first.protocol, cipher: name, standardCipher: standardName, bits },
      keyExchange: first.keyExchange,
      protocols,
      takesStaticRsa: takesStaticRsa ?? (first.protocol === 'TLSv1.3' ? null : first.keyExchange === null),
      takesOnlyCbc,
      chain: [
        ...chain.sent.map((certificate) => certificateFacts(certificate, 'sent')),
        ...chain.fetched.map((certificate) => certificateFacts(certificate, 'fetched')),
      ],
      trust: chain.trust,
      nameMatches: chain.sent[0]?.checkHost(host, { subject: 'never' }) !== undefined,
      ocspStapled: first.ocspResponse !== null,
      latencyMs: first.latencyMs,
    };
  },
};

async function versions(host: string, port: number, first: Handshake, way: Way): Promise<TlsFacts['protocols']> {
  const found = { ...onlyKnown(first) };
  await Promise.all(
    TLS_VERSIONS.filter((version) => version !== first.protocol).map(async (version) => {
      found[version] = await attempt(way, host, { port, minVersion: version, maxVersion: version });
    }),
  );
  return found;
}

function onlyKnown({ protocol }: Handshake): Record<TlsVersion, boolean | null> {
  const unknown = { TLSv1: null, 'TLSv1.1': null, 'TLSv1.2': null, 'TLSv1.3': null };
  return { ...unknown, [protocol]: true };
}

function takes(host: string, port: number, way: Way, ciphers: string): Promise<boolean | null> {
  return attempt(way, host, { port, maxVersion: 'TLSv1.2', ciphers });
}

/** True: agreed; false: refused; null: neither, as when time ran out. */
async function attempt(
  { net, signal }: Way,
  host: string,
  options: { port: number; minVersion?: TlsVersion; maxVersion?: TlsVersion; ciphers?: string },
): Promise<boolean | null> {
  try {
    await net.handshake(host, { ...options, timeoutMs: TRY_MS, signal });
    return true;
  } catch (error) {
    return error instanceof NetError && (error.code === 'tls' || error.code === 'reset') ? false : null;
  }
}

function isAead(standardName: string): boolean {
  return /_(GCM|CCM|CCM_8|POLY1305)(_|$)/.test(standardName);
}

function not(value: boolean | null): boolean | null {
  return value === null ? null : !value;
}
