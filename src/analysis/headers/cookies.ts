import type { HeaderIssue, HeaderCheckResult } from './header-finding.ts';
import type { HeaderMap } from './header-map.ts';
import type { HeaderIssueCode } from './header-issues.ts';

/** One `Set-Cookie` (RFC 6265bis). Attribute names in lower case; of one that is given twice the last counts. */
export interface Cookie {
  name: string;
  /** Name and value together. */
  length: number;
  attributes: ReadonlyMap<string, string>;
}

const HEADER = 'Set-Cookie';
const REFERENCE = 'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie';
const MAX_COOKIE_LENGTH = 4096;
const MAX_COOKIES = 200;

const RULES_WRITTEN_MS = Date.UTC(2026, 0, 1);
/** What keeps browsers from taking a cookie, and so from deleting one. */
const BLOCKING_ISSUES: ReadonlySet<HeaderIssueCode> = new Set<HeaderIssueCode>([
  'cookie_invalid',
  'cookie_prefix_violated',
  'cookie_samesite_none_without_secure',
  'cookie_partitioned_without_secure',
]);

const SESSION_COOKIE_NAME = /sess|^sid$|[._-]sid|auth|token|jwt|login|^connect\.|remember|aspxformsauth/i;
const ANTI_CSRF_COOKIE_NAME = /csrf|xsrf|requestverification/i;

export function parseCookie(text: string): Cookie {
  const [pair = '', ...rest] = text.split(';');
  const equals = pair.indexOf('=');
  const attributes = new Map<string, string>();
  for (const part of rest) {
    const at = part.indexOf('=');
    const name = (at === -1 ? part : part.slice(0, at)).trim().toLowerCase();
    if (name !== '') attributes.set(name, at === -1 ? '' : part.slice(at + 1).trim());
  }
  return { name: equals === -1 ? '' : pair.slice(0, equals).trim(), length: pair.trim().length, attributes };
}

export function parseCookies(headers: HeaderMap): Cookie[] {
  return (headers.get(HEADER.toLowerCase()) ?? []).map(parseCookie);
}

/**
 * Whether it takes a cookie away: it is over when it comes (RFC 6265bis, section 5.6.3: Max-Age counts before Expires). `date`: the
 * Date header of the response; what ended before this was written is over without it.
 */
export function isDeletion({ attributes }: Cookie, date: string): boolean {
  const maxAge = attributes.get('max-age') ?? '';
  if (/^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  const end = parseCookieDate(attributes.get('expires') ?? '');
  const now = parseCookieDate(date);
  return !Number.isNaN(end) && end <= (Number.isNaN(now) ? RULES_WRITTEN_MS : now);
}

/** Milliseconds since 1970; NaN for other texts (RFC 6265bis, section 5.1.1, in its usual order). */
function parseCookieDate(text: string): number {
  const [, day, month, year = '', time] =
    /(\d{1,2})[ -]([a-z]{3})[a-z]{0,6}[ -](\d{2,4}) +(\d{1,2}:\d\d:\d\d)/i.exec(text) ?? [];
  const full = year.length === 2 ? `${Number(year) < 70 ? '20' : '19'}${year}` : year;
  return Date.parse(`${day} ${month} ${full} ${time} GMT`);
}

/** `underHsts`: the site is kept on encrypted connections. */
export function checkCookies(headers: HeaderMap, underHsts: boolean): HeaderCheckResult {
  const cookies = parseCookies(headers).slice(0, MAX_COOKIES);
  const [date = ''] = headers.get('date') ?? [];
  const namesByIssue = new Map<HeaderIssueCode, string[]>();
  for (const cookie of cookies) {
    const codes = findCookieIssues(cookie, underHsts).filter(
      (code) => BLOCKING_ISSUES.has(code) || !isDeletion(cookie, date),
    );
    for (const code of codes) namesByIssue.set(code, [...(namesByIssue.get(code) ?? []), cookie.name]);
  }
  const issues: HeaderIssue[] = [...namesByIssue].map(([code, names]) => ({
    code,
    subjects: names.filter((name) => name !== ''),
  }));
  return { header: HEADER, issues, reference: REFERENCE };
}

function findCookieIssues({ name, length, attributes }: Cookie, underHsts: boolean): HeaderIssueCode[] {
  if (length === 0 || length > MAX_COOKIE_LENGTH) return ['cookie_invalid'];
  const codes: HeaderIssueCode[] = [];
  const secure = attributes.has('secure');
  const sameSite = attributes.get('samesite')?.toLowerCase();
  const antiCsrf = ANTI_CSRF_COOKIE_NAME.test(name);
  const session = !antiCsrf && SESSION_COOKIE_NAME.test(name);
  if (!obeysNamePrefix(name, attributes)) codes.push('cookie_prefix_violated');
  if (sameSite === 'none' && !secure) codes.push('cookie_samesite_none_without_secure');
  else if (!secure && attributes.has('partitioned')) codes.push('cookie_partitioned_without_secure');
  else if (!secure) codes.push(missingSecureIssue(session, underHsts));
  if (session && !attributes.has('httponly')) codes.push('cookie_session_without_httponly');
  if (sameSite === undefined) {
    if (antiCsrf) codes.push('cookie_anticsrf_without_samesite');
    else if (session) codes.push('cookie_session_without_samesite');
  } else if (!['strict', 'lax', 'none'].includes(sameSite)) codes.push('cookie_samesite_invalid');
  return codes;
}

function missingSecureIssue(session: boolean, underHsts: boolean): HeaderIssueCode {
  if (session) return underHsts ? 'cookie_session_without_secure_under_hsts' : 'cookie_session_without_secure';
  return underHsts ? 'cookie_without_secure_under_hsts' : 'cookie_without_secure';
}

/** RFC 6265bis, section 4.1.3, and `__Http-`, `__Host-Http-` of the draft that follows it; prefixes compare without case. */
function obeysNamePrefix(name: string, attributes: ReadonlyMap<string, string>): boolean {
  const prefix = /^__(?:host-http|host|http|secure)-/i.exec(name)?.[0].toLowerCase();
  if (prefix === undefined) return true;
  const isHost = !prefix.startsWith('__host-') || (!attributes.has('domain') && attributes.get('path') === '/');
  const isHttp = !prefix.endsWith('http-') || attributes.has('httponly');
  return attributes.has('secure') && isHost && isHttp;
}
