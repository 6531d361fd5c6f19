import type { Issue, Judgement } from './finding.ts';
import type { HeaderMap } from './header-map.ts';
import type { IssueCode } from './issues.ts';

/** One `Set-Cookie` (RFC 6265bis). Attribute names in lower case; of one that is given twice the last counts. */
export interface Cookie {
  name: string;
  /** Name and value together. */
  bytes: number;
  attributes: ReadonlyMap<string, string>;
}

const HEADER = 'Set-Cookie';
const REFERENCE = 'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie';
const MAX_BYTES = 4096;
const MAX_COOKIES = 200;

const SESSION = /sess|^sid$|[._-]sid|auth|token|jwt|login|^connect\.|remember|aspxformsauth/i;
const ANTI_CSRF = /csrf|xsrf|requestverification/i;

/** A value as sent; where several were joined by commas, each of them. */
export function splitCookies(values: readonly string[]): string[] {
  // A comma inside of a date is not followed by a name and `=`.
  return values
    .flatMap((value) => value.split(/\n|,(?=[ \t]{0,10}[!#$%&'*+.^_`|~\w-]{1,256}=)/))
    .map((text) => text.trim());
}

export function parseCookie(text: string): Cookie {
  const [pair = '', ...rest] = text.split(';');
  const equals = pair.indexOf('=');
  const attributes = new Map<string, string>();
  for (const part of rest) {
    const at = part.indexOf('=');
    const name = (at === -1 ? part : part.slice(0, at)).trim().toLowerCase();
    if (name !== '') attributes.set(name, at === -1 ? '' : part.slice(at + 1).trim());
  }
  return { name: equals === -1 ? '' : pair.slice(0, equals).trim(), bytes: pair.trim().length, attributes };
}

/** `underHsts`: the site is kept on encrypted connections. */
export function checkCookies(headers: HeaderMap, underHsts: boolean): Judgement {
  const cookies = splitCookies(headers.get(HEADER.toLowerCase()) ?? []).slice(0, MAX_COOKIES);
  const about = new Map<IssueCode, string[]>();
  for (const cookie of cookies.map(parseCookie)) {
    for (const code of judge(cookie, underHsts)) about.set(code, [...(about.get(code) ?? []), cookie.name]);
  }
  const issues: Issue[] = [...about].map(([code, names]) => ({ code, about: names.filter((name) => name !== '') }));
  return { header: HEADER, issues, reference: REFERENCE };
}

function judge({ name, bytes, attributes }: Cookie, underHsts: boolean): IssueCode[] {
  if (bytes === 0 || bytes > MAX_BYTES) return ['cookie_invalid'];
  const codes: IssueCode[] = [];
  const secure = attributes.has('secure');
  const sameSite = attributes.get('samesite')?.toLowerCase();
  const antiCsrf = ANTI_CSRF.test(name);
  const session = !antiCsrf && SESSION.test(name);
  if (!keepsPrefix(name, attributes)) codes.push('cookie_prefix_violated');
  if (sameSite === 'none' && !secure) codes.push('cookie_samesite_none_without_secure');
  else if (!secure) codes.push(withoutSecure(session, underHsts));
  if (session && !attributes.has('httponly')) codes.push('cookie_session_without_httponly');
  if (sameSite === undefined) {
    if (antiCsrf) codes.push('cookie_anticsrf_without_samesite');
    else if (session) codes.push('cookie_session_without_samesite');
  } else if (!['strict', 'lax', 'none'].includes(sameSite)) codes.push('cookie_samesite_invalid');
  return codes;
}

function withoutSecure(session: boolean, underHsts: boolean): IssueCode {
  if (session) return underHsts ? 'cookie_session_without_secure_under_hsts' : 'cookie_session_without_secure';
  return underHsts ? 'cookie_without_secure_under_hsts' : 'cookie_without_secure';
}

/** RFC 6265bis, section 4.1.3; prefixes compare without case. */
function keepsPrefix(name: string, attributes: ReadonlyMap<string, string>): boolean {
  const lower = name.toLowerCase();
  if (lower.startsWith('__host-')) {
    return attributes.has('secure') && !attributes.has('domain') && attributes.get('path') === '/';
  }
  return !lower.startsWith('__secure-') || attributes.has('secure');
}
