import type { HeaderIssueDefinition } from './header-issue.ts';

const COOKIE_PREFIX =
  'Give a cookie with a prefix the Secure attribute, with __Host- also Path=/ and no Domain, with __Http- also HttpOnly.';

/** Issues of Set-Cookie. Codes are stable. */
export const COOKIE_ISSUES = {
  cookie_session_without_secure: {
    severity: 'HIGH',
    description: 'Session cookies also travel over unencrypted connections: no Secure attribute.',
    remediation: 'Add Secure.',
  },
  cookie_session_without_secure_under_hsts: {
    severity: 'LOW',
    description:
      'Session cookies have no Secure attribute; only Strict-Transport-Security keeps them off unencrypted connections.',
    remediation: 'Add Secure.',
  },
  cookie_session_without_httponly: {
    severity: 'MEDIUM',
    description: 'Scripts can read session cookies: no HttpOnly attribute.',
    remediation: 'Add HttpOnly.',
  },
  cookie_without_secure: {
    severity: 'MEDIUM',
    description: 'Cookies also travel over unencrypted connections: no Secure attribute.',
    remediation: 'Add Secure.',
  },
  cookie_without_secure_under_hsts: {
    severity: 'INFO',
    description:
      'Cookies have no Secure attribute; only Strict-Transport-Security keeps them off unencrypted connections.',
    remediation: 'Add Secure.',
  },
  cookie_samesite_invalid: {
    severity: 'MEDIUM',
    description: 'SameSite has a value other than Strict, Lax and None.',
    remediation: 'Set SameSite=Lax or Strict; None only for what other sites need, with Secure.',
  },
  cookie_samesite_none_without_secure: {
    severity: 'MEDIUM',
    description: 'Browsers refuse cookies with SameSite=None and no Secure attribute.',
    remediation: 'Add Secure.',
  },
  cookie_anticsrf_without_samesite: {
    severity: 'MEDIUM',
    description: 'Cookies against request forgery have no SameSite attribute.',
    remediation: 'Set SameSite=Strict or Lax.',
  },
  cookie_session_without_samesite: {
    severity: 'LOW',
    description: 'Session cookies leave SameSite to the default of each browser.',
    remediation: 'Set SameSite=Lax or Strict.',
  },
  cookie_prefix_violated: {
    severity: 'MEDIUM',
    description:
      'Browsers refuse cookies whose prefix (__Secure-, __Host-, __Http-) promises what their attributes do not keep.',
    remediation: COOKIE_PREFIX,
  },
  cookie_partitioned_without_secure: {
    severity: 'MEDIUM',
    description: 'Browsers refuse partitioned cookies without the Secure attribute.',
    remediation: 'Add Secure.',
  },
  cookie_invalid: {
    severity: 'INFO',
    description: 'Cookies are empty or longer than the 4096 bytes that browsers take.',
    remediation: 'Send a name and a value of at most 4096 bytes.',
  },
} as const satisfies Record<string, HeaderIssueDefinition>;
