import type { X509Certificate } from 'node:crypto';
import { pathLengthConstraint } from './x509-extensions.ts';

/** Limits of one search: certificates in a path, verified signatures, steps. */
const MAX_DEPTH = 12;
const MAX_SIGNATURES = 48;
const MAX_SEARCH_STEPS = 500;

export interface CertificatePath {
  /** From the leaf; each is signed by the next one. The last is the trust anchor where one was reached. */
  certificates: readonly X509Certificate[];
  reachesAnchor: boolean;
  /** The last certificate found without a candidate for its issuer; null: all have one. */
  certificateWithoutIssuer: X509Certificate | null;
}

/**
 * Finds a path from a certificate to a trust anchor (the links of RFC 5280, 6.1): an issuer must have the right name, the right to sign
 * certificates, and have made the signature. All candidates are tried; a path of certificates that are valid at `now` is preferred.
 * `anchors`: by subject. Without a trust anchor the result is the longest path found.
 */
export function findCertificatePath(
  leaf: X509Certificate,
  others: readonly X509Certificate[],
  anchors: ReadonlyMap<string, readonly X509Certificate[]>,
  now: Date,
): CertificatePath {
  const bySubject = Map.groupBy(others, ({ subject }) => subject);
  const verified = new Map<string, boolean>();
  let longest: readonly X509Certificate[] = [leaf];
  let withoutIssuer: readonly X509Certificate[] = [];
  let steps = 0;

  const isAnchor = ({ subject, fingerprint256 }: X509Certificate): boolean =>
    (anchors.get(subject) ?? []).some((anchor) => anchor.fingerprint256 === fingerprint256);

  const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean => {
    const key = `${certificate.fingerprint256} ${issuer.fingerprint256}`;
    let known = verified.get(key);
    if (known === undefined) {
      if (verified.size >= MAX_SIGNATURES) return false;
      known = isSignedBy(certificate, issuer);
      verified.set(key, known);
    }
    return known;
  };

  const search = (path: readonly X509Certificate[], allowExpired: boolean): readonly X509Certificate[] | null => {
    const last = path.at(-1)!;
    if (path.length > longest.length) longest = path;
    if (isAnchor(last) && (isValidAt(last, now) || path.length === 1)) return path;
    if (path.length >= MAX_DEPTH || steps++ >= MAX_SEARCH_STEPS) return null;
    const trusted = (anchors.get(last.issuer) ?? []).filter((anchor) => isValidAt(anchor, now));
    const sent = bySubject.get(last.issuer) ?? [];
    const isRoot = last.subject === last.issuer;
    if (trusted.length + sent.length === 0 && !isRoot && path.length > withoutIssuer.length) withoutIssuer = path;
    for (const issuer of [...trusted, ...(allowExpired ? sent : sent.filter((one) => isValidAt(one, now)))]) {
      const repeated = path.some(({ fingerprint256 }) => fingerprint256 === issuer.fingerprint256);
      if (repeated || !canIssue(issuer, path) || !isIssuedBy(last, issuer)) continue;
      const found = search([...path, issuer], allowExpired);
      if (found !== null) return found;
    }
    return null;
  };

  const found = search([leaf], false) ?? search([leaf], true);
  if (found !== null) return { certificates: found, reachesAnchor: true, certificateWithoutIssuer: null };
  return { certificates: longest, reachesAnchor: false, certificateWithoutIssuer: withoutIssuer.at(-1) ?? null };
}

/** Whether `now` is in the validity period of a certificate. */
export function isValidAt({ validFromDate, validToDate }: X509Certificate, now: Date): boolean {
  return validFromDate <= now && now <= validToDate;
}

/** Whether `issuer` signed the certificate, by names, key identifiers, key usage and signature. */
export function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}

/** Whether it is a CA that allows the number of intermediates in the path; self-issued ones do not count. */
function canIssue(issuer: X509Certificate, path: readonly X509Certificate[]): boolean {
  if (!issuer.ca) return false;
  const most = pathLengthConstraint(issuer);
  return most === null || path.slice(1).filter(({ subject, issuer: by }) => subject !== by).length <= most;
}
