import { X509Certificate } from 'node:crypto';
import type { CertificateFacts, ChainTrust } from '../../analysis/tls/tls-facts.ts';
import type { NetworkClient } from '../../net/network-client.ts';
import type { TrustStore } from '../../net/tls/handshake-types.ts';
import type { SourceContext } from '../source.ts';
import { isSelfSigned } from './certificate-facts.ts';
import { findCertificatePath, isSignedBy, isValidAt, type CertificatePath } from './certificate-path.ts';

const MAX_FETCHED_ISSUERS = 3;
const MAX_ISSUER_BYTES = 64 * 1024;
const FETCH_TIMEOUT_MS = 3000;

export interface CertificateChain {
  /** Those sent by the server, in order, then those fetched. */
  certificates: readonly ChainCertificate[];
  trust: ChainTrust;
  /** The certificate has the URL of its issuer's certificate, but fetching it failed. */
  fetchFailed: boolean;
}

export interface ChainCertificate {
  certificate: X509Certificate;
  from: CertificateFacts['from'];
  place: number | null;
}

/** Node's `authorizationError` for the server when these intermediates are added to those that it sent. */
export type VerifyWithIntermediates = (intermediates: readonly X509Certificate[]) => Promise<string | null>;

const VALIDITY_PERIOD_ERRORS = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);
/** In place of OpenSSL's verdict where it cannot speak with the server: then our path alone decides. */
export const NOT_ASKED = 'NOT_ASKED';
const NAME_MISMATCH = 'ERR_TLS_CERT_ALTNAME_INVALID';

/**
 * The chain as sent, and its path to a trusted root. A missing issuer is fetched from the URL in the certificate (AIA, RFC 5280,
 * 4.2.2.1) through the network client. `trusted` and `incomplete` are given only where OpenSSL agrees.
 */
export async function buildCertificateChain(
  der: readonly Uint8Array[],
  authorizationError: string | null,
  context: Pick<SourceContext, 'net' | 'signal' | 'countVisit'>,
  verifyWithIntermediates: VerifyWithIntermediates,
  now: Date,
): Promise<CertificateChain> {
  const sent = der.map((bytes) => new X509Certificate(bytes));
  const leaf = sent[0];
  if (leaf === undefined) return { certificates: [], trust: 'unknown_issuer', fetchFailed: false };
  const anchors = trustAnchorsBySubject(context.net);
  const fetched: X509Certificate[] = [];
  let path = findCertificatePath(leaf, sent, anchors, now);
  const chain = (trust: ChainTrust, fetchFailed = false): CertificateChain => ({
    certificates: withPathPositions(sent, fetched, path),
    trust,
    fetchFailed,
  });
  if (authorizationError === null) return chain('trusted');
  if (path.reachesAnchor) return chain(opensslAgrees(authorizationError, path, now) ? 'trusted' : 'unknown_issuer');
  if (isSelfSigned(leaf)) return chain('self_signed');
  while (!path.reachesAnchor && path.certificateWithoutIssuer !== null) {
    const url = issuerUrl(path.certificateWithoutIssuer);
    if (url === null || fetched.length >= MAX_FETCHED_ISSUERS) return chain('missing_issuer');
    const issuer = await fetchIssuer(path.certificateWithoutIssuer, url, context);
    if (issuer === null) return chain('missing_issuer', true);
    fetched.push(issuer);
    path = findCertificatePath(leaf, [...sent, ...fetched], anchors, now);
  }
  if (!path.reachesAnchor) return chain('unknown_issuer');
  try {
    // A fetched root must never become trusted.
    const opinion = await verifyWithIntermediates(fetched.filter(({ subject, issuer }) => subject !== issuer));
    return chain(opensslAgrees(opinion, path, now) ? 'incomplete' : 'unknown_issuer');
  } catch {
    return chain('missing_issuer', true);
  }
}

/**
 * Whether OpenSSL's verdict agrees with our path. Expiry and name are checked elsewhere; "expired" for a path that is not expired means
 * that OpenSSL used another path.
 */
function opensslAgrees(authorizationError: string | null, { certificates }: CertificatePath, now: Date): boolean {
  if (authorizationError === null || [NAME_MISMATCH, NOT_ASKED].includes(authorizationError)) return true;
  return (
    VALIDITY_PERIOD_ERRORS.has(authorizationError) && certificates.some((certificate) => !isValidAt(certificate, now))
  );
}

/** Each certificate with its position in the path; of a certificate that was sent twice, only the first has one. */
function withPathPositions(
  sent: readonly X509Certificate[],
  fetched: readonly X509Certificate[],
  path: CertificatePath,
): ChainCertificate[] {
  const places = new Map(path.certificates.map(({ fingerprint256 }, place) => [fingerprint256, place]));
  const withPosition = (certificate: X509Certificate, from: CertificateFacts['from']): ChainCertificate => {
    const place = places.get(certificate.fingerprint256) ?? null;
    places.delete(certificate.fingerprint256);
    return { certificate, from, place };
  };
  return [...sent.map((one) => withPosition(one, 'sent')), ...fetched.map((one) => withPosition(one, 'fetched'))];
}

function issuerUrl({ infoAccess }: X509Certificate): URL | null {
  const address = /^CA Issuers - URI:"?(https?:\/\/[^\s"]+)/m.exec(infoAccess ?? '')?.[1];
  return address === undefined ? null : URL.parse(address);
}

async function fetchIssuer(
  certificate: X509Certificate,
  url: URL,
  { net, signal, countVisit }: Pick<SourceContext, 'net' | 'signal' | 'countVisit'>,
): Promise<X509Certificate | null> {
  try {
    // A certificate can name any host.
    await countVisit(url.hostname);
    const { status, body } = await net.fetch(url, { maxBytes: MAX_ISSUER_BYTES, timeoutMs: FETCH_TIMEOUT_MS, signal });
    if (status !== 200) return null;
    const issuer = new X509Certificate(body);
    return isSignedBy(certificate, issuer) ? issuer : null;
  } catch {
    return null;
  }
}

/** Whether a path leads to a root that the operating system trusts; null: it has no list. */
export function isTrustedBySystem(
  certificates: readonly X509Certificate[],
  net: NetworkClient,
  now: Date,
): boolean | null {
  const [leaf, ...others] = certificates;
  const anchors = trustAnchorsBySubject(net, 'system');
  if (anchors.size === 0) return null;
  return leaf !== undefined && findCertificatePath(leaf, others, anchors, now).reachesAnchor;
}

/** Keyed by the list itself: sources are given a network client of their own for each question. */
const anchorsByList = new WeakMap<readonly string[], Map<string, X509Certificate[]>>();

/** Trust anchors by subject. Cached: parsing all takes about 20 ms. */
function trustAnchorsBySubject(net: NetworkClient, store: TrustStore = 'default'): Map<string, X509Certificate[]> {
  const anchors = net.trustAnchors(store);
  let known = anchorsByList.get(anchors);
  if (known === undefined) {
    known = Map.groupBy(
      anchors.map((pem) => new X509Certificate(pem)),
      ({ subject }) => subject,
    );
    anchorsByList.set(anchors, known);
  }
  return known;
}
