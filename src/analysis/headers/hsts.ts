import type { HeaderIssue, HeaderCheckResult } from './header-finding.ts';
import type { HeaderMap } from './header-map.ts';

export interface HstsPolicy {
  /** Seconds. */
  max_age: number;
  include_subdomains: boolean;
  preload: boolean;
}

const HEADER = 'Strict-Transport-Security';
const REFERENCE = 'https://www.rfc-editor.org/rfc/rfc6797#section-6.1';
const DAY_SECONDS = 86_400;
/** As MDN's Observatory and most advice count them; `max-age=15552000` is common. */
const SIX_MONTHS_SECONDS = 180 * DAY_SECONDS;
const YEAR_SECONDS = 365 * DAY_SECONDS;

const DIRECTIVE = /^([!#$%&'*+.^_`|~\w-]+)(?:[ \t]*=[ \t]*(?:([!#$%&'*+.^_`|~\w-]+)|"([^"\\]*)"))?$/;

/** The value of one header (RFC 6797, section 6.1); null where it breaks the grammar, as browsers then ignore it. */
export function parseHsts(value: string): HstsPolicy | null {
  const directives = new Map<string, string>();
  for (const part of value.split(';').map((text) => text.trim())) {
    if (part === '') continue;
    const [, name, token, quoted] = DIRECTIVE.exec(part) ?? [];
    if (name === undefined || directives.has(name.toLowerCase())) return null;
    directives.set(name.toLowerCase(), token ?? quoted ?? '');
  }
  const age = directives.get('max-age');
  if (age === undefined || !/^\d{1,20}$/.test(age)) return null;
  return {
    max_age: Number(age),
    include_subdomains: directives.has('includesubdomains'),
    preload: directives.has('preload'),
  };
}

export function checkHsts(headers: HeaderMap, https: boolean): HeaderCheckResult {
  return {
    header: HEADER,
    issues: findHstsIssues(headers.get(HEADER.toLowerCase()) ?? [], https),
    reference: REFERENCE,
  };
}

function findHstsIssues([first, ...more]: readonly string[], https: boolean): HeaderIssue[] {
  if (!https) return [{ code: 'hsts_without_https' }];
  if (first === undefined) return [{ code: 'hsts_missing' }];
  const hsts = parseHsts(first);
  if (hsts === null) return [{ code: 'hsts_invalid' }];
  const { max_age, include_subdomains, preload } = hsts;
  if (max_age === 0) return [{ code: 'hsts_disabled' }];
  const issues: HeaderIssue[] = [];
  if (max_age < SIX_MONTHS_SECONDS) issues.push({ code: 'hsts_short_max_age' });
  if (preload && (max_age < YEAR_SECONDS || !include_subdomains)) issues.push({ code: 'hsts_preload_not_eligible' });
  if (!include_subdomains) issues.push({ code: 'hsts_no_subdomains' });
  // RFC 6797, section 8.1: the first one alone is processed.
  if (more.length > 0) issues.push({ code: 'hsts_repeated' });
  return issues;
}
