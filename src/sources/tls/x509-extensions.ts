import type { X509Certificate } from 'node:crypto';
import { DER_TAGS, parseDerElements } from '../../analysis/der-elements.ts';

/** Contents of the object identifiers of extensions, in hex: basicConstraints, TLS feature (RFC 7633), SCT list (RFC 6962, 3.3). */
export const EXTENSION_OIDS = {
  basicConstraints: '551d13',
  tlsFeature: '2b06010505070118',
  sctList: '2b06010401d679020402',
} as const;

const { INTEGER, OCTET_STRING, OBJECT_IDENTIFIER, SEQUENCE } = DER_TAGS;
/** `[3] EXPLICIT` of a TBSCertificate (RFC 5280, 4.1). */
const EXTENSIONS_TAG = 0xa3;
/** `status_request` (RFC 6066). */
const STATUS_REQUEST = 5;

/** Extension values (DER inside the OCTET STRING) by object identifier in hex; empty where the certificate cannot be parsed. */
export function parseExtensions(certificate: X509Certificate): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  const body = parseDerElements(parseDerElements(certificate.raw)[0]?.content)[0]?.content;
  const wrapped = parseDerElements(body).find(({ tag }) => tag === EXTENSIONS_TAG)?.content;
  for (const { content } of parseDerElements(parseDerElements(wrapped)[0]?.content)) {
    const parts = parseDerElements(content);
    const id = parts.find(({ tag }) => tag === OBJECT_IDENTIFIER);
    const value = parts.find(({ tag }) => tag === OCTET_STRING);
    if (id !== undefined && value !== undefined) found.set(id.content.toString('hex'), value.content);
  }
  return found;
}

/** How many intermediates may follow it, itself not counted (`pathLenConstraint`, RFC 5280, 4.2.1.9); null: any number. */
export function pathLengthConstraint(certificate: X509Certificate): number | null {
  const value = parseExtensions(certificate).get(EXTENSION_OIDS.basicConstraints);
  const length = parseDerElements(parseDerElements(value)[0]?.content).find(({ tag }) => tag === INTEGER)?.content;
  return length === undefined || length.length === 0 || length.length > 4 ? null : length.readIntBE(0, length.length);
}

/** Whether the TLS feature extension requires a stapled OCSP response (RFC 7633, 4.2.3). */
export function requiresOcspStapling(extensions: ReadonlyMap<string, Buffer>): boolean {
  const [features] = parseDerElements(extensions.get(EXTENSION_OIDS.tlsFeature));
  return parseDerElements(features?.tag === SEQUENCE ? features.content : undefined).some(
    ({ tag, content }) => tag === INTEGER && content.length === 1 && content[0] === STATUS_REQUEST,
  );
}
