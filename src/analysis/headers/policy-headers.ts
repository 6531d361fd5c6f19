import type { HeaderIssue, HeaderCheckResult } from './header-finding.ts';
import { type HeaderMap, joinedValue, splitCommaList } from './header-map.ts';

const MDN = 'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers';

/** Only the first value counts (Fetch standard, "determine nosniff"). */
export function checkContentTypeOptions(headers: HeaderMap): HeaderCheckResult {
  const header = 'X-Content-Type-Options';
  const value = joinedValue(headers, header);
  const issues: HeaderIssue[] = [];
  if (value === null) issues.push({ code: 'nosniff_missing' });
  else if (splitCommaList(value)[0]!.toLowerCase() !== 'nosniff') issues.push({ code: 'nosniff_invalid' });
  return { header, issues, reference: `${MDN}/${header}` };
}

const REFERRER_ISSUES: ReadonlyMap<string, HeaderIssue[]> = new Map<string, HeaderIssue[]>([
  ['no-referrer', []],
  ['same-origin', []],
  ['strict-origin', []],
  ['strict-origin-when-cross-origin', []],
  ['origin', [{ code: 'referrer_origin_over_http' }]],
  ['origin-when-cross-origin', [{ code: 'referrer_origin_over_http' }]],
  ['no-referrer-when-downgrade', [{ code: 'referrer_full_address' }]],
  ['unsafe-url', [{ code: 'referrer_unsafe' }]],
]);

/** Old words of `<meta name="referrer">` (HTML standard, section 4.2.5.1). */
const LEGACY_REFERRER_POLICIES: Readonly<Record<string, string>> = {
  never: 'no-referrer',
  always: 'unsafe-url',
  'origin-when-crossorigin': 'origin-when-cross-origin',
};

/**
 * Of a list the last policy that is known holds: those after it are for browsers to come. `meta`: content of a
 * `<meta name="referrer">`, which takes the place of the header.
 */
export function checkReferrerPolicy(headers: HeaderMap, meta: string | null): HeaderCheckResult {
  const header = 'Referrer-Policy';
  const word = meta?.trim().toLowerCase() ?? '';
  const inPage = LEGACY_REFERRER_POLICIES[word] ?? word;
  const value = REFERRER_ISSUES.has(inPage) ? inPage : joinedValue(headers, header);
  const known = splitCommaList(value ?? '').findLast((policy) => REFERRER_ISSUES.has(policy.toLowerCase()));
  const otherwise: HeaderIssue = { code: value === null ? 'referrer_missing' : 'referrer_invalid' };
  const issues = known === undefined ? [otherwise] : REFERRER_ISSUES.get(known.toLowerCase())!;
  return { header, issues, reference: `${MDN}/${header}` };
}
