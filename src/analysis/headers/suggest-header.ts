import type { HeaderIssueCode } from './header-issues.ts';
import { suggestedLine } from './suggest-lines.ts';

const CSP = 'Content-Security-Policy';
const HSTS = 'Strict-Transport-Security';
const FRAMING = 'X-Frame-Options';
const NOSNIFF = 'X-Content-Type-Options';
const REFERRER = 'Referrer-Policy';
const PERMISSIONS = 'Permissions-Policy';

/** The header to send, by the issue that its line ends. A policy that exists is not replaced: only its owner knows what it must allow. */
const HEADERS: Partial<Readonly<Record<HeaderIssueCode, string>>> = {
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

/** The header line that ends an issue; null: no single line ends it, or the code is not of an issue of headers. */
export function suggestHeaderLine(code: string): string | null {
  return Object.hasOwn(HEADERS, code) ? suggestedLine(HEADERS[code as HeaderIssueCode]!) : null;
}
