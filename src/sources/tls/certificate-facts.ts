import type { X509Certificate } from 'node:crypto';
import { displayText } from '../../analysis/display-text.ts';
import type { CertificateFacts } from '../../analysis/tls/tls-facts.ts';
import { requiresOcspStapling, EXTENSION_OIDS, parseExtensions } from './x509-extensions.ts';

const MAX_NAMES = 1000;
const MAX_NAME_LENGTH = 256;

const CURVE_BITS: Record<string, number> = { prime256v1: 256, secp384r1: 384, secp521r1: 521, secp224r1: 224 };

/** The fields of a certificate that answers use. */
export function toCertificateFacts(
  certificate: X509Certificate,
  { from, place }: Pick<CertificateFacts, 'from' | 'place'>,
): CertificateFacts {
  const { subject, issuer } = certificate;
  const extensions = parseExtensions(certificate);
  return {
    commonName: distinguishedNameAttribute(subject, 'CN'),
    organization: distinguishedNameAttribute(subject, 'O'),
    issuerName: distinguishedNameAttribute(issuer, 'CN'),
    issuerOrganization: distinguishedNameAttribute(issuer, 'O'),
    notBefore: certificate.validFromDate.toISOString(),
    notAfter: certificate.validToDate.toISOString(),
    names: subjectAltNames(certificate),
    serial: certificate.serialNumber.toLowerCase(),
    fingerprint256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    key: publicKeyFacts(certificate),
    signatureAlgorithm: certificate.signatureAlgorithm ?? 'unknown',
    selfSigned: isSelfSigned(certificate),
    ocspUrl: ocspUrl(certificate),
    mustStaple: requiresOcspStapling(extensions),
    hasScts: extensions.has(EXTENSION_OIDS.sctList),
    from,
    place,
  };
}

/** By names and signature, not by key usage: most self-signed certificates do not have the right to sign others. */
export function isSelfSigned(certificate: X509Certificate): boolean {
  if (certificate.subject !== certificate.issuer) return false;
  try {
    return certificate.verify(certificate.publicKey);
  } catch {
    return false;
  }
}

/** DNS names and IP addresses that the certificate is valid for. */
function subjectAltNames({ subjectAltName }: X509Certificate): string[] {
  const entries = (subjectAltName ?? '').match(/(?:DNS|IP Address):(?:"(?:[^"\\]|\\.)*"|[^,]*)/g) ?? [];
  return entries.slice(0, MAX_NAMES).map((entry) => displayText(entry.slice(entry.indexOf(':') + 1), MAX_NAME_LENGTH));
}

function publicKeyFacts(certificate: X509Certificate): CertificateFacts['key'] {
  try {
    const { asymmetricKeyType = 'unknown', asymmetricKeyDetails = {} } = certificate.publicKey;
    const { modulusLength, namedCurve } = asymmetricKeyDetails;
    const fixed = asymmetricKeyType === 'ed25519' ? 256 : asymmetricKeyType === 'ed448' ? 448 : null;
    return {
      type: asymmetricKeyType,
      bits: modulusLength ?? (namedCurve === undefined ? fixed : (CURVE_BITS[namedCurve] ?? null)),
    };
  } catch {
    return { type: 'unknown', bits: null };
  }
}

function ocspUrl({ infoAccess }: X509Certificate): string | null {
  const address = /^OCSP - URI:"?(https?:\/\/[^\s"]+)/m.exec(infoAccess ?? '')?.[1];
  return address === undefined ? null : displayText(address, MAX_NAME_LENGTH);
}

/** The first value of an attribute in Node's text of a distinguished name: one attribute per line. */
function distinguishedNameAttribute(name: string, key: string): string | null {
  const line = name.split('\n').find((candidate) => candidate.startsWith(`${key}=`));
  return line === undefined ? null : displayText(line.slice(key.length + 1), MAX_NAME_LENGTH);
}
