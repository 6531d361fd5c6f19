import { commonLabels, compareNames, isBelow, suffixOf, wildcardAt } from './names.ts';
import { type Denial, deniesType, endsZone, isDelegation } from './proof.ts';
import { plainName } from './records.ts';

/** An NSEC record that was found to be signed. */
export interface Span {
  owner: string;
  nextDomain: string;
  rrtypes: readonly string[];
}

/** RFC 4035, 5.4. */
export function deniedByNsec(name: string, type: string, spans: readonly Span[]): Denial {
  const own = spans.find(({ owner }) => owner === name);
  if (own !== undefined) {
    return deniesType(own.rrtypes, type) ? { proves: 'no_type', delegated: isDelegation(own.rrtypes) } : null;
  }
  const span = spans.find((candidate) => coversName(candidate, name));
  if (span === undefined) return null;
  const next = plainName(span.nextDomain);
  // Names stand below it: it exists, without records of its own (empty non-terminal).
  if (isBelow(next, name)) return { proves: 'no_type', delegated: false };
  // No delegation comes from a wildcard.
  if (type === 'DS') return { proves: 'no_name' };
  const encloser = suffixOf(name, Math.max(commonLabels(name, span.owner), commonLabels(name, next)));
  const wildcard = wildcardAt(encloser);
  if (spans.some((candidate) => coversName(candidate, wildcard))) return { proves: 'no_name' };
  const atWildcard = spans.find(({ owner }) => owner === wildcard);
  return atWildcard !== undefined && deniesType(atWildcard.rrtypes, type)
    ? { proves: 'no_type', delegated: false }
    : null;
}

/** The name lies between the owner and the next name; the last span of a zone leads back to its beginning. */
export function coversName({ owner, nextDomain, rrtypes }: Span, name: string): boolean {
  if (isBelow(name, owner) && endsZone(rrtypes)) return false;
  const next = plainName(nextDomain);
  const after = compareNames(name, owner) > 0;
  return compareNames(owner, next) < 0 ? after && compareNames(name, next) < 0 : after && isBelow(name, next);
}
