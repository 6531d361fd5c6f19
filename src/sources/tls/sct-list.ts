import type { SctFacts } from '../../analysis/tls/tls-facts.ts';
import { DER_TAGS, parseDerElements } from '../../analysis/der-elements.ts';

const MAX_SCTS = 20;
const LOG_ID_BYTES = 32;

/** The timestamps in a SignedCertificateTimestampList (RFC 6962, 3.2 and 3.3), as far as it can be read. Signatures are not verified. */
export function parseSctList(list: Buffer, from: SctFacts['from']): SctFacts[] {
  const found: SctFacts[] = [];
  // The length of the list, then each SCT after its own.
  for (let at = 2; at + 2 <= list.length && found.length < MAX_SCTS; ) {
    const end = at + 2 + list.readUInt16BE(at);
    const sct = list.subarray(at + 2, end);
    // Version 1 is written 0.
    if (end > list.length || sct.length < 1 + LOG_ID_BYTES + 8 || sct[0] !== 0) break;
    const time = new Date(Number(sct.readBigUInt64BE(1 + LOG_ID_BYTES)));
    if (!Number.isNaN(time.getTime()))
      found.push({ from, logId: sct.subarray(1, 1 + LOG_ID_BYTES).toString('hex'), loggedAt: time.toISOString() });
    at = end;
  }
  return found;
}

/** The same list as the value of an extension of a certificate or of an OCSP response: inside an OCTET STRING. */
export function parseSctExtension(value: Buffer | undefined, from: SctFacts['from']): SctFacts[] {
  const [wrapped] = parseDerElements(value);
  return wrapped?.tag === DER_TAGS.OCTET_STRING ? parseSctList(wrapped.content, from) : [];
}
