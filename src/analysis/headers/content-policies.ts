import type { Issue, Judgement } from './finding.ts';
import { type HeaderMap, joinedValue, listed } from './header-map.ts';
import { type Member, parseDictionary } from './structured-field.ts';

const MDN = 'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers';

/** Only the first value counts (Fetch standard, "determine nosniff"). */
export function checkContentTypeOptions(headers: HeaderMap): Judgement {
  const header = 'X-Content-Type-Options';
  const value = joinedValue(headers, header);
  const issues: Issue[] = [];
  if (value === null) issues.push({ code: 'nosniff_missing' });
  else if (listed(value)[0]!.toLowerCase() !== 'nosniff') issues.push({ code: 'nosniff_invalid' });
  return { header, issues, reference: `${MDN}/${header}` };
}

const REFERRER_ISSUES: ReadonlyMap<string, Issue[]> = new Map<string, Issue[]>([
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
const OLD_REFERRER: Readonly<Record<string, string>> = {
  never: 'no-referrer',
  always: 'unsafe-url',
  'origin-when-crossorigin': 'origin-when-cross-origin',
};

/**
 * Of a list the last policy that is known holds: those after it are for browsers to come. `meta`: content of a
 * `<meta name="referrer">`, which takes the place of the header.
 */
export function checkReferrerPolicy(headers: HeaderMap, meta: string | null): Judgement {
  const header = 'Referrer-Policy';
  const word = meta?.trim().toLowerCase() ?? '';
  const inPage = OLD_REFERRER[word] ?? word;
  const value = REFERRER_ISSUES.has(inPage) ? inPage : joinedValue(headers, header);
  const known = listed(value ?? '').findLast((policy) => REFERRER_ISSUES.has(policy.toLowerCase()));
  const otherwise: Issue = { code: value === null ? 'referrer_missing' : 'referrer_invalid' };
  const issues = known === undefined ? [otherwise] : REFERRER_ISSUES.get(known.toLowerCase())!;
  return { header, issues, reference: `${MDN}/${header}` };
}

/** Features that a hostile frame gains something by. */
const POWERFUL = new Set(
  'bluetooth camera clipboard-read display-capture geolocation hid identity-credentials-get local-fonts microphone midi payment publickey-credentials-get screen-wake-lock serial usb'.split(
    ' ',
  ),
);

export function checkPermissionsPolicy(headers: HeaderMap): Judgement {
  const header = 'Permissions-Policy';
  const value = joinedValue(headers, header);
  return { header, issues: judgePermissions(value), reference: `${MDN}/${header}` };
}

function judgePermissions(value: string | null): Issue[] {
  if (value === null) return [{ code: 'permissions_missing' }];
  const features = parseDictionary(value);
  if (features === null || features.size === 0) return [{ code: 'permissions_invalid' }];
  const open = [...features]
    .filter(([name, allowed]) => POWERFUL.has(name) && opensToAll(allowed))
    .map(([name]) => name);
  return open.length === 0 ? [] : [{ code: 'permissions_open', about: open }];
}

function opensToAll(allowed: Member): boolean {
  const items = Array.isArray(allowed) ? allowed : [allowed];
  return items.some(({ kind, value }) => kind === 'token' && value === '*');
}
