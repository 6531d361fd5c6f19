import type { FindingDefinition } from '../finding.ts';
import type { CheckSeverity } from '../severity.ts';

/** No issue of a header alone is critical. */
export type HeaderSeverity = Exclude<CheckSeverity, 'CRITICAL'>;

interface HeaderIssueDefinition extends FindingDefinition<HeaderSeverity> {
  /** Browsers do as if the header were not there. */
  ignored?: true;
}

const SEND_CSP =
  "Send Content-Security-Policy, at least script-src with nonces or hashes, object-src 'none' and base-uri 'none'.";
const USE_NONCES =
  "Take the source out and allow each script by a nonce or hash, with 'strict-dynamic' where scripts load others.";
const SEND_HSTS =
  'Send Strict-Transport-Security: max-age=31536000, with includeSubDomains once every subdomain is served over HTTPS.';
const RESTRICT_FRAMING =
  "Send Content-Security-Policy with frame-ancestors 'none' or 'self', or X-Frame-Options: DENY.";
const SEND_NOSNIFF = 'Send X-Content-Type-Options: nosniff.';
const SEND_REFERRER = 'Send Referrer-Policy: strict-origin-when-cross-origin, or no-referrer.';
const SEND_PERMISSIONS =
  'Send Permissions-Policy with an empty list for what the site does not use, such as camera=(), geolocation=().';
const COOKIE_PREFIX =
  'Give a cookie with a prefix the Secure attribute, with __Host- also Path=/ and no Domain, with __Http- also HttpOnly.';
const HIDE_VERSION = 'Leave the version out, or the whole header.';
const REMOVE_HEADER = 'Take the header away.';

/** All issues of headers: code, points, texts. Codes are stable. */
export const HEADER_ISSUES = {
  csp_missing: {
    severity: 'HIGH',
    description: 'No Content-Security-Policy is sent: nothing limits injected script.',
    remediation: SEND_CSP,
  },
  csp_report_only: {
    severity: 'HIGH',
    description: 'The policy is only reported on (Content-Security-Policy-Report-Only); nothing is enforced.',
    remediation: 'When the reports are quiet, send the same policy as Content-Security-Policy.',
  },
  csp_invalid: {
    severity: 'HIGH',
    description: 'The value holds no directive that browsers know.',
    remediation: SEND_CSP,
    ignored: true,
  },
  csp_script_src_missing: {
    severity: 'HIGH',
    description: 'Neither script-src nor default-src is set: any script may run.',
    remediation: SEND_CSP,
  },
  csp_script_unsafe_inline: {
    severity: 'HIGH',
    description: "Inline script may run: 'unsafe-inline' without a nonce or hash.",
    remediation: "Take 'unsafe-inline' out of script-src; allow inline scripts by nonce or hash.",
  },
  csp_script_unrestricted_source: {
    severity: 'HIGH',
    description: 'Scripts may come from anywhere.',
    remediation: USE_NONCES,
  },
  csp_script_bypass_host: {
    severity: 'MEDIUM',
    description:
      'Script sources are allowed that are known to serve JSONP or Angular, with which the policy can be bypassed.',
    remediation: USE_NONCES,
  },
  csp_script_unsafe_eval: {
    severity: 'MEDIUM',
    description: "Text may be run as script: 'unsafe-eval'.",
    remediation: "Take 'unsafe-eval' out; 'wasm-unsafe-eval' is enough for WebAssembly.",
  },
  csp_insecure_source: {
    severity: 'MEDIUM',
    description: 'Scripts, styles, frames or connections may use unencrypted sources.',
    remediation: 'Use https: sources only.',
  },
  csp_passive_insecure_source: {
    severity: 'LOW',
    description: 'Images or media may come over unencrypted connections.',
    remediation: 'Use https: sources only, or add upgrade-insecure-requests.',
  },
  csp_object_src_missing: {
    severity: 'LOW',
    description: 'Neither object-src nor default-src is set: plugins and embedded documents are not limited.',
    remediation: "Add object-src 'none'.",
  },
  csp_object_src_unrestricted: {
    severity: 'LOW',
    description: 'Plugins and embedded documents may come from anywhere.',
    remediation: "Set object-src 'none'.",
  },
  csp_base_uri_missing_with_nonce: {
    severity: 'MEDIUM',
    description: 'Without base-uri, an injected <base> sends relative scripts that carry a nonce to a foreign host.',
    remediation: "Add base-uri 'none' or 'self'.",
  },
  csp_base_uri_missing: {
    severity: 'LOW',
    description: 'base-uri is not set: an injected <base> changes where all relative addresses lead.',
    remediation: "Add base-uri 'none' or 'self'.",
  },
  csp_base_uri_unrestricted: {
    severity: 'LOW',
    description: 'base-uri lets an injected <base> lead anywhere.',
    remediation: "Set base-uri 'none' or 'self'.",
  },
  csp_form_action_missing: {
    severity: 'INFO',
    description: 'form-action is not set, and default-src does not stand in for it: injected forms may send anywhere.',
    remediation: "Add form-action 'self'.",
  },
  csp_form_action_unrestricted: {
    severity: 'INFO',
    description: 'form-action lets forms send anywhere.',
    remediation: "Set form-action 'self'.",
  },
  csp_style_src_missing: {
    severity: 'INFO',
    description: 'Neither style-src nor default-src is set: any style may be applied.',
    remediation: "Add style-src 'self'.",
  },
  csp_style_unsafe_inline: {
    severity: 'INFO',
    description: "Inline styles are allowed: 'unsafe-inline' in style-src.",
    remediation: 'Move inline styles into files, or allow them by nonce or hash.',
  },
  csp_style_unrestricted_source: {
    severity: 'INFO',
    description: 'Styles may come from anywhere.',
    remediation: 'Name the hosts that styles come from.',
  },
  csp_weak_nonce: {
    severity: 'LOW',
    description: 'A nonce is so short that it can be guessed.',
    remediation: 'Make each nonce of at least 16 random bytes, new for every response.',
  },
  csp_short_nonce: {
    severity: 'INFO',
    description: 'A nonce is shorter than the 128 random bits that the standard asks for.',
    remediation: 'Make each nonce of at least 16 random bytes, new for every response.',
  },
  csp_strict_dynamic_alone: {
    severity: 'LOW',
    description: "'strict-dynamic' stands without a nonce or hash: browsers then ignore hosts, and no script may run.",
    remediation: 'Add a nonce or hash for the scripts that load others.',
  },
  csp_strict_dynamic_misplaced: {
    severity: 'INFO',
    description: "'strict-dynamic' stands in directives that are not about scripts, where it means nothing.",
    remediation: 'Take it out there.',
  },
  csp_meta_directive_ignored: {
    severity: 'LOW',
    description: 'Directives stand in a <meta> element, where browsers ignore them.',
    remediation: 'Send frame-ancestors, report-uri and sandbox in the header.',
  },
  csp_trusted_types_invalid: {
    severity: 'LOW',
    description: "require-trusted-types-for does not name 'script', the one value that there is.",
    remediation: "Write require-trusted-types-for 'script'.",
  },
  csp_trusted_types_not_required: {
    severity: 'INFO',
    description: 'trusted-types names policies, but nothing requires that text for the DOM passes through one.',
    remediation: "Add require-trusted-types-for 'script'.",
  },
  csp_trusted_types_open: {
    severity: 'INFO',
    description: 'trusted-types lets any script make a policy of its own.',
    remediation: 'Name the policies that the site uses.',
  },
  csp_unknown_reporting_endpoint: {
    severity: 'LOW',
    description:
      'report-to names an endpoint that neither Reporting-Endpoints nor Report-To defines: no report is sent.',
    remediation: 'Define the endpoint in Reporting-Endpoints.',
  },
  csp_unquoted_keyword: {
    severity: 'LOW',
    description: 'A keyword stands without its quotes, so it is read as a host name.',
    remediation: "Write keywords in single quotes: 'self', 'none'.",
  },
  csp_none_not_alone: {
    severity: 'INFO',
    description: "'none' stands beside other sources, where it means nothing.",
    remediation: "Let 'none' stand alone, or take it out.",
  },
  csp_ip_source: {
    severity: 'INFO',
    description: 'A source is an IP address, which browsers other than on loopback do not match.',
    remediation: 'Name hosts, not addresses.',
  },
  csp_unknown_directive: {
    severity: 'INFO',
    description: 'Directives are not known.',
    remediation: 'Mend their spelling, or take them out.',
  },
  csp_duplicate_directive: {
    severity: 'INFO',
    description: 'Directives stand there more than once; only the first of each counts.',
    remediation: 'Join the sources in one directive.',
  },
  csp_deprecated_directive: {
    severity: 'INFO',
    description: 'Directives are deprecated, and no current browser needs them.',
    remediation: 'Take them out.',
  },

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
  agent_cluster_invalid: {
    severity: 'LOW',
    description: 'The value is not ?1 or ?0, so browsers ignore it.',
    remediation: 'Send Origin-Agent-Cluster: ?1.',
    ignored: true,
  },

  isolation_incomplete: {
    severity: 'INFO',
    description:
      'The page is not cross-origin isolated: that needs Cross-Origin-Opener-Policy: same-origin beside this header.',
    remediation: 'Send Cross-Origin-Opener-Policy: same-origin too, or leave isolation away.',
  },
  coop_missing: {
    severity: 'INFO',
    description: 'Pages opened from elsewhere keep a reference to this one.',
    remediation: 'Send Cross-Origin-Opener-Policy: same-origin, or same-origin-allow-popups.',
  },
  coop_invalid: {
    severity: 'LOW',
    description: 'Browsers do not know the value, so the default unsafe-none applies.',
    remediation: 'Send Cross-Origin-Opener-Policy: same-origin.',
    ignored: true,
  },
  coop_unsafe_none: {
    severity: 'INFO',
    description: 'unsafe-none is the default, without isolation.',
    remediation: 'Send Cross-Origin-Opener-Policy: same-origin.',
  },
  coep_missing: {
    severity: 'INFO',
    description: 'Resources of other sites load without their consent, so the page is not cross-origin isolated.',
    remediation: 'Where isolation is wanted, send Cross-Origin-Embedder-Policy: require-corp or credentialless.',
  },
  coep_invalid: {
    severity: 'LOW',
    description: 'Browsers do not know the value, so the default unsafe-none applies.',
    remediation: 'Send Cross-Origin-Embedder-Policy: require-corp or credentialless.',
    ignored: true,
  },
  coep_unsafe_none: {
    severity: 'INFO',
    description: 'unsafe-none is the default, without isolation.',
    remediation: 'Where isolation is wanted, send Cross-Origin-Embedder-Policy: require-corp.',
  },
  corp_missing: {
    severity: 'INFO',
    description: 'Other sites may embed this resource.',
    remediation:
      'Send Cross-Origin-Resource-Policy: same-origin or same-site, except on what others are meant to embed.',
  },
  corp_invalid: {
    severity: 'LOW',
    description: 'Browsers do not know the value (it is compared exactly), so no policy applies.',
    remediation: 'Send Cross-Origin-Resource-Policy: same-origin, same-site or cross-origin.',
    ignored: true,
  },

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

  cors_wildcard_with_credentials: {
    severity: 'MEDIUM',
    description:
      'Every origin and credentials are allowed at once, which browsers refuse; a server meaning that often reflects origins.',
    remediation: 'Name the trusted origins, and allow credentials to those alone.',
  },
  cors_null_origin: {
    severity: 'MEDIUM',
    description: 'The origin null is allowed: any site reaches it from a sandboxed frame.',
    remediation: 'Do not allow null; name the trusted origins.',
  },
  cors_null_origin_with_credentials: {
    severity: 'HIGH',
    description:
      'The origin null is allowed with credentials: any site can read what a visitor is shown, from a sandboxed frame.',
    remediation: 'Do not allow null; name the trusted origins.',
  },
  cors_reflects_origin_with_credentials: {
    severity: 'HIGH',
    description: 'Any origin that asks is allowed, with credentials: any site can read what a visitor is shown.',
    remediation: 'Compare the origin with a list of trusted ones before it is allowed.',
  },
  cors_reflects_origin: {
    severity: 'LOW',
    description: 'Any origin that asks is allowed.',
    remediation: 'Compare the origin with a list of trusted ones, or send * where everything is public.',
  },
  cors_invalid: {
    severity: 'LOW',
    description: 'The value is neither *, null nor one origin, so browsers allow no origin.',
    remediation: 'Send one origin, and Vary: Origin.',
    ignored: true,
  },
  cors_public: {
    severity: 'INFO',
    description: 'Every site may read this response, without credentials.',
    remediation: 'Nothing, where it is meant to be public.',
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
} as const satisfies Record<string, HeaderIssueDefinition>;

export type HeaderIssueCode = keyof typeof HEADER_ISSUES;
