import { COOKIE_ISSUES } from './cookie-issues.ts';
import { CROSS_ORIGIN_ISSUES } from './cross-origin-issues.ts';
import { CSP_ISSUES } from './csp-issues.ts';
import type { HeaderIssueDefinition } from './header-issue.ts';

const SEND_HSTS =
  'Send Strict-Transport-Security: max-age=31536000, with includeSubDomains once every subdomain is served over HTTPS.';
const RESTRICT_FRAMING =
  "Send Content-Security-Policy with frame-ancestors 'none' or 'self', or X-Frame-Options: DENY.";
const SEND_NOSNIFF = 'Send X-Content-Type-Options: nosniff.';
const SEND_REFERRER = 'Send Referrer-Policy: strict-origin-when-cross-origin, or no-referrer.';
const SEND_PERMISSIONS =
  'Send Permissions-Policy with an empty list for what the site does not use, such as camera=(), geolocation=().';
const HIDE_VERSION = 'Leave the version out, or the whole header.';
const REMOVE_HEADER = 'Take the header away.';

/** All issues of headers: code, points, texts. Codes are stable. */
export const HEADER_ISSUES = {
  ...CSP_ISSUES,
  hsts_missing: {
    severity: 'HIGH',
    description: 'No Strict-Transport-Security is sent: a first or later visit can be led to unencrypted HTTP.',
    remediation: SEND_HSTS,
  },
  hsts_invalid: {
    severity: 'HIGH',
    description: 'The value breaks the grammar of RFC 6797, so browsers ignore it.',
    remediation: SEND_HSTS,
    ignored: true,
  },
  hsts_disabled: {
    severity: 'HIGH',
    description: 'max-age=0 tells browsers to forget the policy.',
    remediation: SEND_HSTS,
  },
  hsts_without_https: {
    severity: 'HIGH',
    description: 'The site was not reached over HTTPS, and over HTTP browsers ignore the header.',
    remediation: 'Serve the site over HTTPS, redirect HTTP to it, and send the header there.',
    ignored: true,
  },
  hsts_short_max_age: {
    severity: 'MEDIUM',
    description: 'max-age is less than six months.',
    remediation: 'Raise max-age to 31536000 (a year).',
  },
  hsts_preload_not_eligible: {
    severity: 'LOW',
    description:
      'preload is asked for without what the preload list demands: max-age of at least a year and includeSubDomains.',
    remediation: 'Send max-age=63072000; includeSubDomains; preload, or take preload out.',
  },
  hsts_no_subdomains: {
    severity: 'INFO',
    description: 'Subdomains are not covered: includeSubDomains is not set.',
    remediation: 'Add includeSubDomains once every subdomain is served over HTTPS.',
  },
  hsts_repeated: {
    severity: 'INFO',
    description: 'The header is sent more than once; only the first counts.',
    remediation: 'Send it once.',
  },
  framing_missing: {
    severity: 'MEDIUM',
    description:
      'Any site may show this one in a frame (clickjacking): neither X-Frame-Options nor frame-ancestors is sent.',
    remediation: RESTRICT_FRAMING,
  },
  framing_open: {
    severity: 'MEDIUM',
    description: 'frame-ancestors lets any site show this one in a frame, and makes browsers ignore X-Frame-Options.',
    remediation: "Set frame-ancestors 'none' or 'self', or name the sites.",
  },
  xfo_invalid: {
    severity: 'MEDIUM',
    description: 'The value is neither DENY nor SAMEORIGIN, so browsers ignore it.',
    remediation: RESTRICT_FRAMING,
    ignored: true,
  },
  xfo_allow_from: {
    severity: 'MEDIUM',
    description: 'ALLOW-FROM is obsolete, and browsers ignore it.',
    remediation: 'Name the sites in frame-ancestors of Content-Security-Policy.',
    ignored: true,
  },
  xfo_conflicting: {
    severity: 'LOW',
    description: 'Different values are sent; browsers then refuse every frame, or pass over the header.',
    remediation: 'Send one value.',
  },
  xfo_repeated: {
    severity: 'INFO',
    description: 'The same value is sent more than once.',
    remediation: 'Send it once.',
  },
  nosniff_missing: {
    severity: 'MEDIUM',
    description: 'Browsers may take a file for another type than its Content-Type says.',
    remediation: SEND_NOSNIFF,
  },
  nosniff_invalid: {
    severity: 'MEDIUM',
    description: 'The value is not nosniff, so browsers ignore it.',
    remediation: SEND_NOSNIFF,
    ignored: true,
  },
  referrer_missing: {
    severity: 'LOW',
    description: 'What other sites learn of the visited address is left to the defaults of each browser.',
    remediation: SEND_REFERRER,
  },
  referrer_invalid: {
    severity: 'LOW',
    description: 'The value names no policy that browsers know, so the default holds.',
    remediation: SEND_REFERRER,
    ignored: true,
  },
  referrer_unsafe: {
    severity: 'MEDIUM',
    description: 'Full addresses are sent to every site, over unencrypted connections too.',
    remediation: SEND_REFERRER,
  },
  referrer_full_address: {
    severity: 'LOW',
    description: 'Full addresses, with path and query, are sent to every other site over HTTPS.',
    remediation: SEND_REFERRER,
  },
  referrer_origin_over_http: {
    severity: 'LOW',
    description: 'The origin is sent over unencrypted connections too.',
    remediation: 'Use the strict- form of the policy.',
  },
  permissions_missing: {
    severity: 'LOW',
    description: 'Embedded content is not kept from asking for camera, microphone, location and other features.',
    remediation: SEND_PERMISSIONS,
  },
  permissions_invalid: {
    severity: 'LOW',
    description: 'The value is no structured dictionary (RFC 9651), so browsers ignore it.',
    remediation: SEND_PERMISSIONS,
    ignored: true,
  },
  permissions_open: {
    severity: 'LOW',
    description: 'Powerful features are opened to every embedded site.',
    remediation: 'Name the origins that need the feature, or (self).',
  },
  permissions_value_ignored: {
    severity: 'LOW',
    description: 'Browsers do not know these values and ignore them: only *, self, src and quoted origins count.',
    remediation: 'Write feature=() for nobody, feature=(self "https://a.example") for some.',
  },
  permissions_unknown_feature: {
    severity: 'INFO',
    description: 'Features are not known.',
    remediation: 'Mend their spelling, or take them out.',
  },
  reporting_invalid: {
    severity: 'LOW',
    description: 'The value is not what the Reporting API reads, so browsers ignore it.',
    remediation: 'Send Reporting-Endpoints: name="https://reports.example/".',
    ignored: true,
  },
  reporting_insecure_endpoint: {
    severity: 'LOW',
    description: 'Endpoints are not on HTTPS, so that browsers send them nothing.',
    remediation: 'Name https: addresses.',
  },
  nel_invalid: {
    severity: 'LOW',
    description:
      'The value is not a JSON object with max_age, and report_to where that is not 0, so browsers ignore it.',
    remediation: 'Send NEL: {"report_to":"default","max_age":2592000}, or take it away.',
    ignored: true,
  },
  nel_unknown_group: {
    severity: 'LOW',
    description: 'The group that reports go to is not defined in Report-To: no report is sent.',
    remediation: 'Define the group in Report-To.',
  },
  clear_site_data_invalid: {
    severity: 'LOW',
    description: 'None of the types is a quoted word that browsers know, so nothing is cleared.',
    remediation: 'Send quoted types, such as Clear-Site-Data: "cache", "cookies", "storage".',
    ignored: true,
  },
  clear_site_data_type_ignored: {
    severity: 'LOW',
    description: 'Types are not quoted or not known, so that they are not cleared.',
    remediation:
      'Write them as quoted words: "cache", "cookies", "storage", "executionContexts", "clientHints" or "*".',
  },
  discloses_version: {
    severity: 'LOW',
    description: 'The header tells the version of software that is in use.',
    remediation: HIDE_VERSION,
  },
  discloses_software: {
    severity: 'INFO',
    description: 'The header tells what software is in use.',
    remediation: HIDE_VERSION,
  },
  discloses_internal: {
    severity: 'LOW',
    description: 'Headers tell addresses or paths of the inside: of a network, or of the disk of the server.',
    remediation: 'Take them away at the outermost server.',
  },
  discloses_debugging: {
    severity: 'LOW',
    description: 'The header is of a debugger or profiler, which has no place on a public site.',
    remediation: 'Turn debugging off in production.',
  },
  deprecated_header: {
    severity: 'INFO',
    description: 'The header is deprecated, and current browsers ignore it.',
    remediation: REMOVE_HEADER,
  },
  xss_protection_enabled: {
    severity: 'INFO',
    description: 'The filter that it turns on is gone from current browsers, and opened holes in those that had it.',
    remediation: 'Take the header away, or send X-XSS-Protection: 0.',
  },
  ...CROSS_ORIGIN_ISSUES,
  ...COOKIE_ISSUES,
} as const satisfies Record<string, HeaderIssueDefinition>;

export type HeaderIssueCode = keyof typeof HEADER_ISSUES;
