import { parseSpfRecord, spfTerms } from './spf-record.ts';

/** A term that is misspelt, and how the standard spells what is evidently meant. */
export interface SpfRepair {
  record: string;
  terms: readonly { written: string; meant: string }[];
}

const IPV4 = String.raw`\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?`;
const IPV6 = String.raw`[0-9a-f]*:[0-9a-f:.]*:[0-9a-f:.]*(?:/\d{1,3})?`;
/** What people write, and the mechanism that it stands for (RFC 7208, section 5). */
const MISSPELLINGS: readonly (readonly [pattern: RegExp, meant: string])[] = [
  [new RegExp(`^([-+~?]?)(?:ipv?[46]|ip|a|mx)?[:=]?(${IPV4})$`, 'i'), '$1ip4:$2'],
  [new RegExp(`^([-+~?]?)(?:ipv?[46]|ip|a|mx)?[:=]?(${IPV6})$`, 'i'), '$1ip6:$2'],
  [/^([-+~?]?)(?:includes?|inc)[:=]([\w.-]+)$/i, '$1include:$2'],
  [/^([-+~?]?)(a|mx|exists)=([\w.-]+)$/i, '$1$2:$3'],
  [/^redirect:([\w.-]+)$/i, 'redirect=$1'],
  [/^([-+~?])\s*all[.,;:]$/i, '$1all'],
];

/** The record with its misspelt terms corrected. Null: a term is broken in another way, so that what is meant is not known. */
export function repairSpfRecord(record: string): SpfRepair | null {
  const terms: { written: string; meant: string }[] = [];
  const corrected = spfTerms(record).map((written) => {
    if (isValid(written)) return written;
    const meant = MISSPELLINGS.map(([pattern, text]) => (pattern.test(written) ? written.replace(pattern, text) : null))
      .filter((text) => text !== null)
      .find(isValid);
    if (meant === undefined) return null;
    terms.push({ written, meant });
    return meant;
  });
  if (terms.length === 0 || corrected.includes(null)) return null;
  const repaired = ['v=spf1', ...corrected].join(' ');
  return isValidRecord(repaired) ? { record: repaired, terms } : null;
}

function isValid(term: string): boolean {
  // "ip=192.0.2.1" is an unknown modifier, which receivers pass over: valid, and surely not meant.
  return !/^(?:ipv?[46]?|include|a|mx)=/i.test(term) && isValidRecord(`v=spf1 ${term}`);
}

function isValidRecord(record: string): boolean {
  try {
    parseSpfRecord(record);
    return true;
  } catch {
    return false;
  }
}
