import { X509Certificate } from 'node:crypto';
import { PROTOCOL_VERSIONS, type SctFacts, type TlsFacts } from '../../analysis/tls/tls-facts.ts';
import type { Source, SourceContext } from '../source.ts';
import { toCertificateFacts } from './certificate-facts.ts';
import {
  buildCertificateChain,
  isTrustedBySystem,
  NOT_ASKED,
  type ChainCertificate,
  type CertificateChain,
} from './certificate-chain.ts';
import { enumerate, type Enumeration } from './enumeration/enumerate.ts';
import { ALL_LIMITS, SUITES_LIMITS } from './enumeration/limits.ts';
import { type FirstContact, firstHandshake, firstHello, HANDSHAKE_TIMEOUT_MS } from './first-contact.ts';
import { readOcspResponse } from './ocsp-response.ts';
import { parseSctExtension, parseSctList } from './sct-list.ts';
import type { TlsQuestion } from './tls-question.ts';
import { EXTENSION_OIDS, parseExtensions } from './x509-extensions.ts';

/** Certificates shown in addition to those of the path. */
const MAX_UNUSED_SHOWN = 10;

/** Inspects a TLS server: a handshake by OpenSSL, then ClientHellos of our own that are not completed (decision 46). */
export const tls: Source<TlsQuestion, TlsFacts> = {
  policy: {
    id: 'tls',
    title: 'TLS handshake with the target',
    provides: 'certificate chain, protocol versions, cipher suites and settings of TLS',
    baseUrl: null,
    timeoutMs: 14_000,
    maxBytes: 256 * 1024,
    ttlSeconds: 60,
    concurrency: 100,
    key: null,
  },
  async ask(question, context) {
    const { host, port, detail } = question;
    const first = await firstHandshake(question, context);
    const limits = detail === 'suites' ? SUITES_LIMITS : ALL_LIMITS;
    const server = { host: first.address ?? host, serverName: host, port };
    const enumerating =
      detail === 'certificate'
        ? null
        : enumerate(server, context, limits, { ...first, withConfiguration: detail === 'all' });
    if (first.certificates !== null) return toFacts(host, port, first, enumerating, context);
    // OpenSSL and the server have nothing in common.
    const enumeration = await enumerating!;
    const contact = firstHello(enumeration, first);
    return toFacts(host, port, contact, Promise.resolve(enumeration), context);
  },
};

async function toFacts(
  host: string,
  port: number,
  first: FirstContact,
  enumerating: Promise<Enumeration> | null,
  context: SourceContext,
): Promise<TlsFacts> {
  const verifyWithIntermediates = async (intermediates: readonly X509Certificate[]): Promise<string | null> => {
    if (first.authorizationError === NOT_ASKED) return NOT_ASKED;
    const options = {
      port,
      intermediates: intermediates.map(String),
      timeoutMs: HANDSHAKE_TIMEOUT_MS,
      signal: context.signal,
    };
    return (await context.net.tlsHandshake(host, options)).authorizationError;
  };
  const now = context.now();
  const [chain, enumeration] = await Promise.all([
    buildCertificateChain(first.certificates ?? [], first.authorizationError, context, verifyWithIntermediates, now),
    enumerating,
  ]);
  const shown = limitUnusedCertificates(chain.certificates);
  const all = chain.certificates.map(({ certificate }) => certificate);
  const { staple, scts } = readStaple(first.ocspResponse ?? enumeration?.ocspResponse ?? null, chain);
  return {
    negotiated: first.negotiated!,
    keyExchange: first.keyExchange,
    protocols: protocolsOf(first, enumeration),
    suites: enumeration?.suites ?? [],
    suitesComplete: enumeration?.suitesComplete ?? false,
    configuration: enumeration?.configuration ?? null,
    chain: shown.map(({ certificate, ...where }) => toCertificateFacts(certificate, where)),
    chainOmitted: chain.certificates.length - shown.length,
    otherCertificates: otherLeaves(enumeration, all[0]),
    trust: chain.trust,
    trustStores: {
      mozilla: chain.trust === 'trusted' || chain.trust === 'incomplete',
      system: enumeration?.configuration == null ? null : isTrustedBySystem(all, context.net, now),
    },
    issuerUnknown: chain.fetchFailed,
    nameMatches: all[0]?.checkHost(host, { subject: 'never' }) !== undefined,
    staple,
    scts: [
      ...embeddedScts(all[0]),
      ...(enumeration?.scts == null ? [] : parseSctList(Buffer.from(enumeration.scts), 'tls')),
      ...scts,
    ],
    gaps: enumeration?.gaps ?? [],
    connections: enumeration?.connections ?? first.connections,
    latencyMs: first.latencyMs,
  };
}

/** What OpenSSL agreed on is taken, whatever the rest says. */
function protocolsOf({ negotiated }: FirstContact, enumeration: Enumeration | null): TlsFacts['protocols'] {
  const unknown = Object.fromEntries(PROTOCOL_VERSIONS.map((version) => [version, null])) as TlsFacts['protocols'];
  return { ...(enumeration?.protocols ?? unknown), [negotiated!.protocol]: true };
}

/** All certificates of the path, plus at most 10 unused ones. */
function limitUnusedCertificates(certificates: readonly ChainCertificate[]): ChainCertificate[] {
  let unused = 0;
  return certificates.filter(({ place }) => place !== null || unused++ < MAX_UNUSED_SHOWN);
}

function readStaple(
  der: Uint8Array | null,
  { certificates }: CertificateChain,
): ReturnType<typeof readOcspResponse> | { staple: null; scts: SctFacts[] } {
  const leaf = certificates[0]?.certificate;
  if (der === null || leaf === undefined) return { staple: null, scts: [] };
  return readOcspResponse(der, leaf, certificates.find(({ place }) => place === 1)?.certificate);
}

function embeddedScts(leaf: X509Certificate | undefined): SctFacts[] {
  return leaf === undefined ? [] : parseSctExtension(parseExtensions(leaf).get(EXTENSION_OIDS.sctList), 'certificate');
}

/** Certificates of the server other than the first one, as they are sent with other suites. */
function otherLeaves(
  enumeration: Enumeration | null,
  leaf: X509Certificate | undefined,
): TlsFacts['otherCertificates'] {
  const known = new Set(leaf === undefined ? [] : [leaf.fingerprint256]);
  return (enumeration?.leaves ?? []).flatMap((der) => {
    try {
      const certificate = new X509Certificate(der);
      if (known.has(certificate.fingerprint256)) return [];
      known.add(certificate.fingerprint256);
      return [toCertificateFacts(certificate, { from: 'sent', place: null })];
    } catch {
      return [];
    }
  });
}
