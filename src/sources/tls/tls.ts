import { INSECURE_SUITES, type SuiteWeakness, findSuiteWeaknesses } from '../../analysis/tls/insecure-suites.ts';
import { TLS_VERSIONS, type TlsFacts, type TlsVersion } from '../../analysis/tls/tls-facts.ts';
import { NetError } from '../../net/net-error.ts';
import type { HandshakeResult } from '../../net/tls/handshake-types.ts';
import type { Source, SourceContext } from '../source.ts';
import { toCertificateFacts } from './certificate-facts.ts';
import { buildCertificateChain, type ChainCertificate } from './certificate-chain.ts';

export interface TlsQuestion {
  /** ASCII form. */
  host: string;
  port: number;
  /** Only the certificate and the negotiated parameters, without probes of versions and weak ciphers. */
  certificateOnly: boolean;
}

const HANDSHAKE_TIMEOUT_MS = 5000;
/** Certificates shown in addition to those of the path. */
const MAX_UNUSED_SHOWN = 10;
/** Also ciphers without encryption or authentication, for servers that accept nothing else. */
const ALL_CIPHERS = 'ALL:COMPLEMENTOFALL:@SECLEVEL=0';
/** Some servers accept certain suites only with old versions. */
const OFFERED_VERSIONS = ['TLSv1.2', 'TLSv1'] as const;

/**
 * Inspects a TLS server by handshakes: one with default settings, one for each version, two with weak ciphers, and ClientHellos with
 * insecure suites that are not completed.
 */
export const tls: Source<TlsQuestion, TlsFacts> = {
  policy: {
    id: 'tls',
    title: 'TLS handshake with the target',
    provides: 'certificate chain, protocol versions and ciphers',
    baseUrl: null,
    timeoutMs: 8000,
    maxBytes: 256 * 1024,
    ttlSeconds: 60,
    concurrency: 100,
    key: null,
  },
  async ask({ host, port, certificateOnly }, context) {
    const first = await firstHandshake(host, port, context);
    const verifyWithIntermediates = (intermediates: readonly { toString(): string }[]) =>
      runHandshake(host, { port, intermediates: intermediates.map(String) }, context).then(
        (result) => result.authorizationError,
      );
    const [chain, protocols, takesStaticRsa, takesOnlyCbc, insecure] = await Promise.all([
      buildCertificateChain(
        first.certificates,
        first.authorizationError,
        context,
        verifyWithIntermediates,
        context.now(),
      ),
      certificateOnly ? versionsFromHandshake(first) : probeVersions(host, port, first, context),
      certificateOnly || first.keyExchange === null ? null : acceptsCiphers(host, port, context, 'kRSA:@SECLEVEL=0'),
      certificateOnly || isAead(first.cipher.standardName)
        ? false
        : acceptsCiphers(host, port, context, 'AESGCM:CHACHA20:AESCCM').then(negate),
      certificateOnly ? { taken: [], complete: false } : probeInsecureSuites(host, port, context),
    ]);
    const { name, standardName, bits } = first.cipher;
    const shown = limitUnusedCertificates(chain.certificates);
    return {
      negotiated: { protocol: first.protocol, cipher: name, standardCipher: standardName, bits },
      keyExchange: first.keyExchange,
      protocols,
      takesStaticRsa: takesStaticRsa ?? (first.protocol === 'TLSv1.3' ? null : first.keyExchange === null),
      takesOnlyCbc,
      insecure,
      chain: shown.map(({ certificate, ...where }) => toCertificateFacts(certificate, where)),
      chainOmitted: chain.certificates.length - shown.length,
      trust: chain.trust,
      issuerUnknown: chain.fetchFailed,
      nameMatches: chain.certificates[0]?.certificate.checkHost(host, { subject: 'never' }) !== undefined,
      ocspStapled: first.ocspResponse !== null,
      latencyMs: first.latencyMs,
    };
  },
};

async function firstHandshake(host: string, port: number, context: SourceContext): Promise<HandshakeResult> {
  try {
    return await runHandshake(host, { port }, context);
  } catch (error) {
    if (!isHandshakeRefused(error)) throw error;
    return runHandshake(host, { port, ciphers: ALL_CIPHERS }, context).catch(() => {
      throw error;
    });
  }
}

/** All certificates of the path, plus at most 10 unused ones. */
function limitUnusedCertificates(certificates: readonly ChainCertificate[]): ChainCertificate[] {
  let unused = 0;
  return certificates.filter(({ place }) => place !== null || unused++ < MAX_UNUSED_SHOWN);
}

async function probeVersions(
  host: string,
  port: number,
  first: HandshakeResult,
  context: SourceContext,
): Promise<TlsFacts['protocols']> {
  const found = { ...versionsFromHandshake(first) };
  await Promise.all(
    TLS_VERSIONS.filter((version) => version !== first.protocol).map(async (version) => {
      found[version] = await tryHandshake(context, host, { port, minVersion: version, maxVersion: version });
    }),
  );
  return found;
}

function versionsFromHandshake({ protocol }: HandshakeResult): Record<TlsVersion, boolean | null> {
  const unknown = { TLSv1: null, 'TLSv1.1': null, 'TLSv1.2': null, 'TLSv1.3': null };
  return { ...unknown, [protocol]: true };
}

/** Offers all insecure suites, then again without the weaknesses found, until none of the rest is accepted. */
async function probeInsecureSuites(host: string, port: number, context: SourceContext): Promise<TlsFacts['insecure']> {
  const taken = new Map<SuiteWeakness, string>();
  const answered = OFFERED_VERSIONS.map(async (version) => {
    const found = new Set<SuiteWeakness>();
    for (;;) {
      const suites = Object.entries(INSECURE_SUITES).flatMap(([number, name]) =>
        findSuiteWeaknesses(name).some((weakness) => found.has(weakness)) ? [] : [Number(number)],
      );
      if (suites.length === 0) return true;
      const chosen = await tryOfferCipherSuites(host, { port, version, suites }, context);
      if (chosen === undefined) return false;
      if (chosen === null) return true;
      const name = INSECURE_SUITES[chosen]!;
      for (const weakness of findSuiteWeaknesses(name)) {
        found.add(weakness);
        if (!taken.has(weakness)) taken.set(weakness, name);
      }
    }
  });
  const complete = (await Promise.all(answered)).every(Boolean);
  return { taken: [...taken].map(([weakness, suite]) => ({ weakness, suite })), complete };
}

/** The accepted suite; null: none; undefined: unknown, for example after a timeout. */
async function tryOfferCipherSuites(
  host: string,
  options: { port: number; version: 'TLSv1' | 'TLSv1.2'; suites: readonly number[] },
  { net, signal }: SourceContext,
): Promise<number | null | undefined> {
  try {
    return await net.offerCipherSuites(host, { ...options, timeoutMs: HANDSHAKE_TIMEOUT_MS, signal });
  } catch (error) {
    return isHandshakeRefused(error) ? null : undefined;
  }
}

function acceptsCiphers(host: string, port: number, context: SourceContext, ciphers: string): Promise<boolean | null> {
  return tryHandshake(context, host, { port, maxVersion: 'TLSv1.2', ciphers });
}

/** Whether a handshake with these options succeeds; null: unknown, for example after a timeout. */
async function tryHandshake(context: SourceContext, host: string, options: HandshakeParams): Promise<boolean | null> {
  try {
    await runHandshake(host, options, context);
    return true;
  } catch (error) {
    return isHandshakeRefused(error) ? false : null;
  }
}

type HandshakeParams = Omit<Parameters<SourceContext['net']['tlsHandshake']>[1], 'timeoutMs' | 'signal'>;

function runHandshake(
  host: string,
  options: HandshakeParams,
  { net, signal }: SourceContext,
): Promise<HandshakeResult> {
  return net.tlsHandshake(host, { ...options, timeoutMs: HANDSHAKE_TIMEOUT_MS, signal });
}

function isHandshakeRefused(error: unknown): boolean {
  return error instanceof NetError && (error.code === 'tls' || error.code === 'reset');
}

function isAead(standardName: string): boolean {
  return /_(GCM|CCM|CCM_8|POLY1305)(_|$)/.test(standardName);
}

function negate(value: boolean | null): boolean | null {
  return value === null ? null : !value;
}
