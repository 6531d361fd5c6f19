import { countCommonLabels, compareNames, isAtOrBelow, lastLabels, wildcardBelow } from './names.ts';
import { type Denial, provesNoType, endsZone, isDelegation } from './denial-types.ts';
import { normalizeDnsName } from '../domain-name.ts';

/** An NSEC record with a valid signature. */
export interface NsecRecord {
  owner: string;
  nextDomain: string;
  rrtypes: readonly string[];
}

/** What NSEC records show for a name and a type (RFC 4035, 5.4); null: nothing. */
export function denialFromNsec(name: string, type: string, spans: readonly NsecRecord[]): Denial | null {
  const own = spans.find(({ owner }) => owner === name);
  if (own !== undefined) {
    return provesNoType(own.rrtypes, type) ? { proves: 'no_type', delegated: isDelegation(own.rrtypes) } : null;
  }
  const span = spans.find((candidate) => coversName(candidate, name));
  if (span === undefined) return null;
  const next = normalizeDnsName(span.nextDomain);
  // There are names below it: it exists, without records of its own (empty non-terminal).
  if (isAtOrBelow(next, name)) return { proves: 'no_type', delegated: false };
  // A wildcard does not make delegations.
  if (type === 'DS') return { proves: 'no_name' };
  const encloser = lastLabels(name, Math.max(countCommonLabels(name, span.owner), countCommonLabels(name, next)));
  const wildcard = wildcardBelow(encloser);
  if (spans.some((candidate) => coversName(candidate, wildcard))) return { proves: 'no_name' };
  const atWildcard = spans.find(({ owner }) => owner === wildcard);
  return atWildcard !== undefined && provesNoType(atWildcard.rrtypes, type)
    ? { proves: 'no_type', delegated: false }
    : null;
}

/** Whether the name is between the owner and the next name, which is the apex for the last record of a zone. */
export function coversName({ owner, nextDomain, rrtypes }: NsecRecord, name: string): boolean {
  if (isAtOrBelow(name, owner) && endsZone(rrtypes)) return false;
  const next = normalizeDnsName(nextDomain);
  const after = compareNames(name, owner) > 0;
  return compareNames(owner, next) < 0 ? after && compareNames(name, next) < 0 : after && isAtOrBelow(name, next);
}
