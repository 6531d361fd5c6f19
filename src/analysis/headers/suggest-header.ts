import type { HeaderIssueCode } from './header-issues.ts';

const CSP = "Content-Security-Policy: script-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'";
const HSTS = 'Strict-Transport-Security: max-age=31536000; includeSubDomains';
const FRAMING = 'X-Frame-Options: DENY';
const NOSNIFF = 'X-Content-Type-Options: nosniff';
const REFERRER = 'Referrer-Policy: strict-origin-when-cross-origin';
const PERMISSIONS = 'Permissions-Policy: camera=(), geolocation=(), microphone=()';

/** Header lines to send, by the issue that each ends. A policy that exists is not replaced: only its owner knows what it must allow. */
const LINES: Partial<Readonly<Record<HeaderIssueCode, string>>> = {
  csp_missing: CSP,
  csp_invalid: CSP,
  hsts_missing: HSTS,
  hsts_invalid: HSTS,
  hsts_disabled: HSTS,
  hsts_short_max_age: HSTS,
  framing_missing: FRAMING,
  xfo_invalid: FRAMING,
  xfo_allow_from: FRAMING,
  nosniff_missing: NOSNIFF,
  nosniff_invalid: NOSNIFF,
  referrer_missing: REFERRER,
  referrer_invalid: REFERRER,
  referrer_unsafe: REFERRER,
  referrer_full_address: REFERRER,
  permissions_missing: PERMISSIONS,
  permissions_invalid: PERMISSIONS,
};

/** The header line that ends an issue; null where there is none to give, or the code is not of an issue of headers. */
export function suggestHeaderLine(code: string): string | null {
  return Object.hasOwn(LINES, code) ? LINES[code as HeaderIssueCode]! : null;
}
