import { isUnrestrictedSource, parseCspPolicies } from './csp-policy.ts';
import type { HeaderIssue, HeaderCheckResult } from './header-finding.ts';
import { type HeaderMap, joinedValue, splitCommaList } from './header-map.ts';

const HEADER = 'X-Frame-Options';
const REFERENCE = 'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/X-Frame-Options';

/** Who may show the site in a frame, by `frame-ancestors`: null where no policy says. */
export function frameAncestorsPolicy(headers: HeaderMap): 'restricted' | 'open' | null {
  const lists = parseCspPolicies(headers.get('content-security-policy') ?? [])
    .map(({ directives }) => directives.get('frame-ancestors'))
    .filter((sources) => sources !== undefined);
  if (lists.length === 0) return null;
  return lists.some((sources) => !sources.some(isUnrestrictedSource)) ? 'restricted' : 'open';
}

export function checkFraming(headers: HeaderMap): HeaderCheckResult {
  return { header: HEADER, issues: findFramingIssues(headers), reference: REFERENCE };
}

/** As the HTML standard (section 7.4.6) decides: `frame-ancestors` first, and X-Frame-Options only without it. */
function findFramingIssues(headers: HeaderMap): HeaderIssue[] {
  const ancestors = frameAncestorsPolicy(headers);
  if (ancestors === 'open') return [{ code: 'framing_open' }];
  if (ancestors === 'restricted') return [];
  const value = joinedValue(headers, HEADER);
  if (value === null) return [{ code: 'framing_missing' }];
  const values = splitCommaList(value).map((part) => part.toLowerCase());
  const distinct = new Set(values);
  if (distinct.size > 1) return [{ code: 'xfo_conflicting' }];
  const [only = ''] = distinct;
  if (only.startsWith('allow-from')) return [{ code: 'xfo_allow_from' }];
  if (only !== 'deny' && only !== 'sameorigin') return [{ code: 'xfo_invalid' }];
  return values.length > 1 ? [{ code: 'xfo_repeated' }] : [];
}
