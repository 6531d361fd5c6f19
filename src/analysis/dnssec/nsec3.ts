import { compareBytes, concatBytes, labelsOf, lastLabels, wildcardBelow, encodeName } from './names.ts';
import { type Denial, provesNoType, endsZone, isDelegation } from './denial-types.ts';
import type { Nsec3Data } from './records.ts';

/** An NSEC3 record with a valid signature. */
export interface Nsec3Record extends Nsec3Data {
  owner: string;
}

type Sha1 = (data: Uint8Array) => Uint8Array;

/** Limit of hash iterations (RFC 9276, 3.2; CVE-2023-50868). */
const MAX_ITERATIONS = 50;
const SHA1 = 1;
const OPT_OUT = 1;

/** What NSEC3 records show for a name and a type (RFC 5155, section 8); null: nothing. `spans`: at least one. */
export function denialFromNsec3(
  { name, type, zone }: { name: string; type: string; zone: string },
  spans: readonly Nsec3Record[],
  sha1: Sha1,
): Denial | null {
  const [first] = spans as [Nsec3Record, ...Nsec3Record[]];
  // All records of a zone have the same parameters (7.2); unknown ones are ignored (8.1, 8.2).
  const known = spans.filter(
    (span) => span.algorithm === SHA1 && span.flags <= OPT_OUT && hasSameParameters(span, first),
  );
  if (known.some(({ iterations }) => iterations > MAX_ITERATIONS)) return { proves: 'costly' };
  const hashOf = (each: string): string => nsec3Hash(each, first, sha1);
  const at = (each: string): Nsec3Record | undefined => {
    const hash = hashOf(each);
    return known.find(({ owner }) => ownerHash(owner) === hash);
  };
  const covering = (each: string): Nsec3Record | undefined => {
    const hash = hashOf(each);
    return known.find((span) => coversHashValue(span, hash));
  };

  const own = at(name);
  if (own !== undefined) {
    return provesNoType(own.rrtypes, type) ? { proves: 'no_type', delegated: isDelegation(own.rrtypes) } : null;
  }
  const depth = labelsOf(name).length;
  for (let labels = depth - 1; labels >= labelsOf(zone).length; labels--) {
    const encloser = at(lastLabels(name, labels));
    if (encloser === undefined) continue;
    if (labels > labelsOf(zone).length && endsZone(encloser.rrtypes)) return null;
    const nextCloser = covering(lastLabels(name, labels + 1));
    if (nextCloser === undefined) return null;
    if ((nextCloser.flags & OPT_OUT) !== 0) return { proves: 'opt_out' };
    // A wildcard does not make delegations.
    if (type === 'DS') return { proves: 'no_name' };
    const wildcard = wildcardBelow(lastLabels(name, labels));
    if (covering(wildcard) !== undefined) return { proves: 'no_name' };
    const types = at(wildcard)?.rrtypes;
    return types !== undefined && provesNoType(types, type) ? { proves: 'no_type', delegated: false } : null;
  }
  return null;
}

/** The iterated SHA-1 over name and salt (section 5), in Base32 with the extended hex alphabet, which keeps the order. */
export function nsec3Hash(
  name: string,
  { salt, iterations }: Pick<Nsec3Data, 'salt' | 'iterations'>,
  sha1: Sha1,
): string {
  let hash = sha1(concatBytes([encodeName(name), salt]));
  for (let round = 0; round < iterations; round++) hash = sha1(concatBytes([hash, salt]));
  return base32hex(hash);
}

/** Whether the hash of a name is between the owner and the next hash; false above the limit of iterations. */
export function nsec3CoversName(span: Nsec3Record, name: string, sha1: Sha1): boolean {
  return span.iterations <= MAX_ITERATIONS && coversHashValue(span, nsec3Hash(name, span, sha1));
}

function hasSameParameters(one: Nsec3Data, other: Nsec3Data): boolean {
  return one.iterations === other.iterations && compareBytes(one.salt, other.salt) === 0;
}

function ownerHash(owner: string): string {
  return labelsOf(owner)[0] ?? '';
}

function coversHashValue({ owner, nextDomain }: Nsec3Record, hash: string): boolean {
  const [from, to] = [ownerHash(owner), base32hex(nextDomain)];
  return from < to ? from < hash && hash < to : hash !== from && (hash > from || hash < to);
}

const BASE32HEX_DIGITS = '0123456789abcdefghijklmnopqrstuv';

/** RFC 4648, section 7, without padding: whole groups of five bits, as SHA-1 gives. */
function base32hex(bytes: Uint8Array): string {
  let text = '';
  let [bits, held] = [0, 0];
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32HEX_DIGITS[(held >> (bits - 5)) & 31];
  }
  return bits === 0 ? text : text + BASE32HEX_DIGITS[(held << (5 - bits)) & 31];
}
