import type { X509Certificate } from 'node:crypto';

/** Contents of the object identifiers of extensions, in hex: basicConstraints, TLS feature (RFC 7633), SCT list (RFC 6962, 3.3). */
export const EXTENSION_OIDS = {
  basicConstraints: '551d13',
  tlsFeature: '2b06010505070118',
  sctList: '2b06010401d679020402',
} as const;

const INTEGER = 0x02;
const OCTET_STRING = 0x04;
const OBJECT_IDENTIFIER = 0x06;
const SEQUENCE = 0x30;
/** `[3] EXPLICIT` of a TBSCertificate (RFC 5280, 4.1). */
const EXTENSIONS_TAG = 0xa3;
/** `status_request` (RFC 6066). */
const STATUS_REQUEST = 5;

interface DerElement {
  tag: number;
  content: Buffer;
}

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

/** The consecutive DER elements (X.690, 8.1) in `bytes`, up to the first that does not fit. */
function parseDerElements(bytes: Buffer | undefined): DerElement[] {
  const found: DerElement[] = [];
  if (bytes === undefined) return found;
  for (let at = 0; at + 2 <= bytes.length; ) {
    const first = bytes[at + 1]!;
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    if (lengthBytes > 4 || at + 2 + lengthBytes > bytes.length) break;
    const length = lengthBytes === 0 ? first & 0x7f : bytes.readUIntBE(at + 2, lengthBytes);
    const start = at + 2 + lengthBytes;
    if (start + length > bytes.length) break;
    found.push({ tag: bytes[at]!, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return found;
}
