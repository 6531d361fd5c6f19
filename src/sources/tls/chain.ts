import { X509Certificate } from 'node:crypto';
import type { Trust } from '../../analysis/tls/facts.ts';
import type { Net } from '../../net/net.ts';
import type { Way } from '../source.ts';
import { isSelfSigned } from './certificate.ts';

const MAX_FETCHED = 3;
const MAX_BYTES = 64 * 1024;
const FETCH_MS = 3000;

export interface Chain {
  sent: X509Certificate[];
  /** Intermediates that the server did not send. */
  fetched: X509Certificate[];
  trust: Trust;
}

/** Expiry and name are judged apart: these say nothing of whom the chain leads to. */
const SAYS_NOTHING_OF_TRUST = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID']);

/**
 * The chain as sent, and as built: where it does not lead to a trusted root, the issuers are fetched from where the certificates
 * say (AIA, RFC 5280 4.2.2.1), through the same door as everything else.
 */
export async function buildChain(
  der: readonly Uint8Array[],
  authorizationError: string | null,
  way: Pick<Way, 'net' | 'signal' | 'arrive'>,
): Promise<Chain> {
  const { net } = way;
  const sent = der.map((bytes) => new X509Certificate(bytes));
  const leaf = sent[0];
  if (leaf === undefined) return { sent, fetched: [], trust: 'unknown_issuer' };
  if (authorizationError === null) return { sent, fetched: [], trust: 'trusted' };
  if (isSelfSigned(leaf)) return { sent, fetched: [], trust: 'self_signed' };
  if (endsInAnchor(sent.at(-1)!, net)) return { sent, fetched: [], trust: 'trusted' };
  if (SAYS_NOTHING_OF_TRUST.has(authorizationError) && sent.length > 1) return { sent, fetched: [], trust: 'trusted' };
  const fetched: X509Certificate[] = [];
  for (let last = sent.at(-1)!; fetched.length < MAX_FETCHED; ) {
    const issuer = await fetchIssuer(last, way);
    if (issuer === null) break;
    fetched.push(issuer);
    if (endsInAnchor(issuer, net)) return { sent, fetched, trust: 'incomplete' };
    last = issuer;
  }
  return { sent, fetched, trust: 'unknown_issuer' };
}

async function fetchIssuer(
  certificate: X509Certificate,
  { net, signal, arrive }: Pick<Way, 'net' | 'signal' | 'arrive'>,
): Promise<X509Certificate | null> {
  const address = /^CA Issuers - URI:"?(https?:\/\/[^\s"]+)/m.exec(certificate.infoAccess ?? '')?.[1];
  const url = address === undefined ? null : URL.parse(address);
  if (url === null) return null;
  try {
    // Whoever makes a certificate may name any host in it.
    await arrive(url.hostname);
    const { status, body } = await net.fetch(url, { maxBytes: MAX_BYTES, timeoutMs: FETCH_MS, signal });
    if (status !== 200) return null;
    const issuer = new X509Certificate(body);
    return isIssuedBy(certificate, issuer) ? issuer : null;
  } catch {
    return null;
  }
}

/** It is a trusted root, or one issued it. */
function endsInAnchor(certificate: X509Certificate, net: Net): boolean {
  return (anchorsOf(net).get(certificate.issuer) ?? []).some((anchor) => isIssuedBy(certificate, anchor));
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

const anchors = new WeakMap<Net, Map<string, X509Certificate[]>>();

/** By subject. Reading all takes some 20 ms, once. */
function anchorsOf(net: Net): Map<string, X509Certificate[]> {
  let known = anchors.get(net);
  if (known === undefined) {
    known = Map.groupBy(
      net.trustAnchors().map((pem) => new X509Certificate(pem)),
      ({ subject }) => subject,
    );
    anchors.set(net, known);
  }
  return known;
}
