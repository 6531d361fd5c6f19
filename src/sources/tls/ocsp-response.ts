import { verify, X509Certificate } from 'node:crypto';
import type { SctFacts, StapleFacts } from '../../analysis/tls/tls-facts.ts';
import { isSignedBy } from './certificate-path.ts';
import { DER_TAGS, parseDerElements } from '../../analysis/der-elements.ts';
import { parseSctExtension } from './sct-list.ts';

const EXPLICIT_0 = 0xa0;
const EXPLICIT_1 = 0xa1;
const GENERALIZED_TIME = 0x18;
/** Status of a certificate by its tag: good and unknown are NULL, revoked is constructed (RFC 6960, 4.2.1). */
const STATUS_BY_TAG: Readonly<Record<number, StapleFacts['status']>> = {
  0x80: 'good',
  0xa1: 'revoked',
  0x82: 'unknown',
};
/** SCTs of an OCSP response (RFC 6962, 3.3), in hex. */
const SCT_LIST_OID = '2b06010401d679020405';
const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9';
/** Hashes of signature algorithms by object identifier in hex; null: the algorithm has its own (Ed25519). */
const HASHES: Readonly<Record<string, string | null>> = {
  '2a864886f70d010105': 'sha1',
  '2a864886f70d01010b': 'sha256',
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  '2a8648ce3d0401': 'sha1',
  '2a8648ce3d040302': 'sha256',
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
  '2b6570': null,
};

const UNREADABLE: StapleFacts = { status: 'unreadable', thisUpdate: null, nextUpdate: null, signatureValid: null };

/** What an OCSP response (RFC 6960) says of `leaf`. `issuer`: of the leaf; undefined: not known, so that the signature cannot be verified. */
export function readOcspResponse(
  der: Uint8Array,
  leaf: X509Certificate,
  issuer: X509Certificate | undefined,
): { staple: StapleFacts; scts: SctFacts[] } {
  const basic = basicResponse(Buffer.from(der));
  const [data, algorithm, signature, certificates] = parseDerElements(basic);
  if (data === undefined || algorithm === undefined || signature === undefined) return { staple: UNREADABLE, scts: [] };
  // Responses are the only sequence in it that is not tagged.
  const list = parseDerElements(data.content).find(({ tag }) => tag === DER_TAGS.SEQUENCE);
  const single = parseDerElements(list?.content)
    .map(({ content }) => parseDerElements(content))
    .find(([id]) => isAbout(id?.content, leaf));
  const status = STATUS_BY_TAG[single?.[1]?.tag ?? -1];
  if (single === undefined || status === undefined) return { staple: UNREADABLE, scts: [] };
  const thisUpdate = single.find(({ tag }) => tag === GENERALIZED_TIME);
  const nextUpdate = single.slice(3).find(({ tag }) => tag === EXPLICIT_0);
  const extensions = single.slice(3).find(({ tag }) => tag === EXPLICIT_1);
  const signed = { data: data.raw, algorithm: algorithm.content, signature: signature.content.subarray(1) };
  return {
    staple: {
      status,
      thisUpdate: toIsoTime(thisUpdate?.content),
      nextUpdate: toIsoTime(parseDerElements(nextUpdate?.content)[0]?.content),
      signatureValid: issuer === undefined ? null : isSignedForIssuer(signed, issuer, certificates?.content),
    },
    scts: sctsOf(extensions?.content),
  };
}

/** BasicOCSPResponse of a successful OCSPResponse. */
function basicResponse(der: Buffer): Buffer | undefined {
  const [status, wrapped] = parseDerElements(parseDerElements(der)[0]?.content);
  if (status?.content[0] !== 0) return undefined;
  const bytes = parseDerElements(parseDerElements(wrapped?.content)[0]?.content).find(
    ({ tag }) => tag === DER_TAGS.OCTET_STRING,
  );
  return parseDerElements(bytes?.content)[0]?.content;
}

/** CertID ends with the serial number. */
function isAbout(id: Buffer | undefined, { serialNumber }: X509Certificate): boolean {
  const serial = parseDerElements(id).at(-1);
  if (serial?.tag !== DER_TAGS.INTEGER) return false;
  return BigInt(`0x${serial.content.toString('hex') || '0'}`) === BigInt(`0x${serialNumber}`);
}

interface Signed {
  data: Buffer;
  algorithm: Buffer;
  signature: Buffer;
}

/** By the issuer's key, or by a responder that the issuer named for this (RFC 6960, 4.2.2.2). */
function isSignedForIssuer(signed: Signed, issuer: X509Certificate, certificates: Buffer | undefined): boolean {
  if (isSignatureOf(signed, issuer)) return true;
  return parseDerElements(parseDerElements(certificates)[0]?.content).some(({ raw }) => {
    try {
      const responder = new X509Certificate(raw);
      return (
        (responder.keyUsage ?? []).includes(OCSP_SIGNING) &&
        isSignedBy(responder, issuer) &&
        isSignatureOf(signed, responder)
      );
    } catch {
      return false;
    }
  });
}

function isSignatureOf({ data, algorithm, signature }: Signed, { publicKey }: X509Certificate): boolean {
  const hash = HASHES[parseDerElements(algorithm)[0]?.content.toString('hex') ?? ''];
  try {
    return hash !== undefined && verify(hash, data, publicKey, signature);
  } catch {
    return false;
  }
}

function sctsOf(extensions: Buffer | undefined): SctFacts[] {
  return parseDerElements(parseDerElements(extensions)[0]?.content).flatMap(({ content }) => {
    const parts = parseDerElements(content);
    const isList = parts[0]?.content.toString('hex') === SCT_LIST_OID;
    return isList ? parseSctExtension(parts.at(-1)?.content, 'ocsp') : [];
  });
}

/** GeneralizedTime `20260115120000Z` (RFC 5280, 4.1.2.5.2). */
function toIsoTime(content: Buffer | undefined): string | null {
  const found = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(content?.toString('latin1') ?? '');
  if (found === null) return null;
  const [, year, month, day, hour, minute, second] = found;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
}
