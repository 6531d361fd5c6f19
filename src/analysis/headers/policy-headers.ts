import { type InnerList, isInnerList, type Item, parseDictionary, Token } from 'structured-headers';
import type { HeaderIssue, HeaderCheckResult } from './header-finding.ts';
import { type HeaderMap, joinedValue, splitCommaList } from './header-map.ts';
import { parseStructuredField } from './structured-field.ts';

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

/** Features that a hostile frame gains something by. */
const POWERFUL_FEATURES = new Set(
  'bluetooth camera clipboard-read display-capture geolocation hid identity-credentials-get local-fonts microphone midi payment publickey-credentials-get screen-wake-lock serial usb'.split(
    ' ',
  ),
);

export function checkPermissionsPolicy(headers: HeaderMap): HeaderCheckResult {
  const header = 'Permissions-Policy';
  const value = joinedValue(headers, header);
  return { header, issues: findPermissionsIssues(value), reference: `${MDN}/${header}` };
}

function findPermissionsIssues(value: string | null): HeaderIssue[] {
  if (value === null) return [{ code: 'permissions_missing' }];
  const features = parseStructuredField(value, parseDictionary);
  if (features === null || features.size === 0) return [{ code: 'permissions_invalid' }];
  const open = [...features]
    .filter(([name, allowed]) => POWERFUL_FEATURES.has(name) && allowsAllOrigins(allowed))
    .map(([name]) => name);
  return open.length === 0 ? [] : [{ code: 'permissions_open', subjects: open }];
}

function allowsAllOrigins(allowed: Item | InnerList): boolean {
  const items = isInnerList(allowed) ? allowed[0] : [allowed];
  return items.some(([origin]) => origin instanceof Token && origin.toString() === '*');
}
