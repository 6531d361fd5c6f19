import type { CheckSeverity } from '../severity.ts';

/** No issue of a header alone is critical. */
export type HeaderSeverity = Exclude<CheckSeverity, 'critical'>;

interface HeaderIssueDefinition {
  severity: HeaderSeverity;
  says: string;
  fix: string;
  /** Browsers do as if the header were not there. */
  ignored?: true;
}

const SEND_CSP =
  "Send Content-Security-Policy, at least script-src with nonces or hashes, object-src 'none' and base-uri 'none'.";
const USE_NONCES =
  "Take the source out and allow each script by a nonce or hash, with 'strict-dynamic' where scripts load others.";
const SEND_HSTS = 'Send Strict-Transport-Security: max-age=31536000; includeSubDomains.';
const RESTRICT_FRAMING =
  "Send Content-Security-Policy with frame-ancestors 'none' or 'self', or X-Frame-Options: DENY.";
const SEND_NOSNIFF = 'Send X-Content-Type-Options: nosniff.';
const SEND_REFERRER = 'Send Referrer-Policy: strict-origin-when-cross-origin, or no-referrer.';
const SEND_PERMISSIONS =
  'Send Permissions-Policy with an empty list for what the site does not use, such as camera=(), geolocation=().';
const COOKIE_PREFIX = 'Give a __Secure- cookie the Secure attribute, a __Host- cookie also Path=/ and no Domain.';
const HIDE_VERSION = 'Leave the version out, or the whole header.';
const REMOVE_HEADER = 'Take the header away.';

/** All that can be wrong with headers: code, weight, words. Codes are stable. */
export const HEADER_ISSUES = {
  csp_missing: {
    severity: 'high',
    says: 'No Content-Security-Policy is sent: nothing limits injected script.',
    fix: SEND_CSP,
  },
  csp_report_only: {
    severity: 'high',
    says: 'The policy is only reported on (Content-Security-Policy-Report-Only); nothing is enforced.',
    fix: 'When the reports are quiet, send the same policy as Content-Security-Policy.',
  },
  csp_invalid: {
    severity: 'high',
    says: 'The value holds no directive that browsers know.',
    fix: SEND_CSP,
    ignored: true,
  },
  csp_script_src_missing: {
    severity: 'high',
    says: 'Neither script-src nor default-src is set: any script may run.',
    fix: SEND_CSP,
  },
  csp_script_unsafe_inline: {
    severity: 'high',
    says: "Inline script may run: 'unsafe-inline' without a nonce or hash.",
    fix: "Take 'unsafe-inline' out of script-src; allow inline scripts by nonce or hash.",
  },
  csp_script_unrestricted_source: {
    severity: 'high',
    says: 'Scripts may come from anywhere.',
    fix: USE_NONCES,
  },
  csp_script_bypass_host: {
    severity: 'medium',
    says: 'Script sources are allowed that are known to serve JSONP or Angular, with which the policy can be bypassed.',
    fix: USE_NONCES,
  },
  csp_script_unsafe_eval: {
    severity: 'medium',
    says: "Text may be run as script: 'unsafe-eval'.",
    fix: "Take 'unsafe-eval' out; 'wasm-unsafe-eval' is enough for WebAssembly.",
  },
  csp_insecure_source: {
    severity: 'medium',
    says: 'Scripts, styles, frames or connections may use unencrypted sources.',
    fix: 'Use https: sources only.',
  },
  csp_passive_insecure_source: {
    severity: 'low',
    says: 'Images or media may come over unencrypted connections.',
    fix: 'Use https: sources only, or add upgrade-insecure-requests.',
  },
  csp_object_src_missing: {
    severity: 'low',
    says: 'Neither object-src nor default-src is set: plugins and embedded documents are not limited.',
    fix: "Add object-src 'none'.",
  },
  csp_object_src_unrestricted: {
    severity: 'low',
    says: 'Plugins and embedded documents may come from anywhere.',
    fix: "Set object-src 'none'.",
  },
  csp_base_uri_missing_with_nonce: {
    severity: 'medium',
    says: 'Without base-uri, an injected <base> sends relative scripts that carry a nonce to a foreign host.',
    fix: "Add base-uri 'none' or 'self'.",
  },
  csp_base_uri_missing: {
    severity: 'low',
    says: 'base-uri is not set: an injected <base> changes where all relative addresses lead.',
    fix: "Add base-uri 'none' or 'self'.",
  },
  csp_base_uri_unrestricted: {
    severity: 'low',
    says: 'base-uri lets an injected <base> lead anywhere.',
    fix: "Set base-uri 'none' or 'self'.",
  },
  csp_form_action_missing: {
    severity: 'info',
    says: 'form-action is not set, and default-src does not stand in for it: injected forms may send anywhere.',
    fix: "Add form-action 'self'.",
  },
  csp_form_action_unrestricted: {
    severity: 'info',
    says: 'form-action lets forms send anywhere.',
    fix: "Set form-action 'self'.",
  },
  csp_style_src_missing: {
    severity: 'info',
    says: 'Neither style-src nor default-src is set: any style may be applied.',
    fix: "Add style-src 'self'.",
  },
  csp_style_unsafe_inline: {
    severity: 'info',
    says: "Inline styles are allowed: 'unsafe-inline' in style-src.",
    fix: 'Move inline styles into files, or allow them by nonce or hash.',
  },
  csp_style_unrestricted_source: {
    severity: 'info',
    says: 'Styles may come from anywhere.',
    fix: 'Name the hosts that styles come from.',
  },
  csp_weak_nonce: {
    severity: 'low',
    says: 'A nonce is shorter than the 128 random bits that the standard asks for.',
    fix: 'Make each nonce of at least 16 random bytes, new for every response.',
  },
  csp_strict_dynamic_alone: {
    severity: 'low',
    says: "'strict-dynamic' stands without a nonce or hash: browsers then ignore hosts, and no script may run.",
    fix: 'Add a nonce or hash for the scripts that load others.',
  },
  csp_unquoted_keyword: {
    severity: 'low',
    says: 'A keyword stands without its quotes, so it is read as a host name.',
    fix: "Write keywords in single quotes: 'self', 'none'.",
  },
  csp_none_not_alone: {
    severity: 'info',
    says: "'none' stands beside other sources, where it means nothing.",
    fix: "Let 'none' stand alone, or take it out.",
  },
  csp_ip_source: {
    severity: 'info',
    says: 'A source is an IP address, which browsers other than on loopback do not match.',
    fix: 'Name hosts, not addresses.',
  },
  csp_unknown_directive: {
    severity: 'info',
    says: 'Directives are not known.',
    fix: 'Mend their spelling, or take them out.',
  },
  csp_duplicate_directive: {
    severity: 'info',
    says: 'Directives stand there more than once; only the first of each counts.',
    fix: 'Join the sources in one directive.',
  },
  csp_deprecated_directive: {
    severity: 'info',
    says: 'Directives are deprecated, and no current browser needs them.',
    fix: 'Take them out.',
  },

  hsts_missing: {
    severity: 'high',
    says: 'No Strict-Transport-Security is sent: a first or later visit can be led to unencrypted HTTP.',
    fix: SEND_HSTS,
  },
  hsts_invalid: {
    severity: 'high',
    says: 'The value breaks the grammar of RFC 6797, so browsers ignore it.',
    fix: SEND_HSTS,
    ignored: true,
  },
  hsts_disabled: { severity: 'high', says: 'max-age=0 tells browsers to forget the policy.', fix: SEND_HSTS },
  hsts_without_https: {
    severity: 'high',
    says: 'The site was not reached over HTTPS, and over HTTP browsers ignore the header.',
    fix: 'Serve the site over HTTPS, redirect HTTP to it, and send the header there.',
    ignored: true,
  },
  hsts_short_max_age: {
    severity: 'medium',
    says: 'max-age is less than six months.',
    fix: 'Raise max-age to 31536000 (a year).',
  },
  hsts_preload_not_eligible: {
    severity: 'low',
    says: 'preload is asked for without what the preload list demands: max-age of at least a year and includeSubDomains.',
    fix: 'Send max-age=63072000; includeSubDomains; preload, or take preload out.',
  },
  hsts_no_subdomains: {
    severity: 'info',
    says: 'Subdomains are not covered: includeSubDomains is not set.',
    fix: 'Add includeSubDomains once every subdomain is served over HTTPS.',
  },
  hsts_repeated: {
    severity: 'info',
    says: 'The header is sent more than once; only the first counts.',
    fix: 'Send it once.',
  },

  framing_missing: {
    severity: 'medium',
    says: 'Any site may show this one in a frame (clickjacking): neither X-Frame-Options nor frame-ancestors is sent.',
    fix: RESTRICT_FRAMING,
  },
  framing_open: {
    severity: 'medium',
    says: 'frame-ancestors lets any site show this one in a frame, and makes browsers ignore X-Frame-Options.',
    fix: "Set frame-ancestors 'none' or 'self', or name the sites.",
  },
  xfo_invalid: {
    severity: 'medium',
    says: 'The value is neither DENY nor SAMEORIGIN, so browsers ignore it.',
    fix: RESTRICT_FRAMING,
    ignored: true,
  },
  xfo_allow_from: {
    severity: 'medium',
    says: 'ALLOW-FROM is obsolete, and browsers ignore it.',
    fix: 'Name the sites in frame-ancestors of Content-Security-Policy.',
    ignored: true,
  },
  xfo_conflicting: {
    severity: 'low',
    says: 'Different values are sent; browsers then refuse every frame, or pass over the header.',
    fix: 'Send one value.',
  },
  xfo_repeated: { severity: 'info', says: 'The same value is sent more than once.', fix: 'Send it once.' },

  nosniff_missing: {
    severity: 'medium',
    says: 'Browsers may take a file for another type than its Content-Type says.',
    fix: SEND_NOSNIFF,
  },
  nosniff_invalid: {
    severity: 'medium',
    says: 'The value is not nosniff, so browsers ignore it.',
    fix: SEND_NOSNIFF,
    ignored: true,
  },

  referrer_missing: {
    severity: 'low',
    says: 'What other sites learn of the visited address is left to the defaults of each browser.',
    fix: SEND_REFERRER,
  },
  referrer_invalid: {
    severity: 'low',
    says: 'The value names no policy that browsers know, so the default holds.',
    fix: SEND_REFERRER,
    ignored: true,
  },
  referrer_unsafe: {
    severity: 'medium',
    says: 'Full addresses are sent to every site, over unencrypted connections too.',
    fix: SEND_REFERRER,
  },
  referrer_full_address: {
    severity: 'low',
    says: 'Full addresses, with path and query, are sent to every other site over HTTPS.',
    fix: SEND_REFERRER,
  },
  referrer_origin_over_http: {
    severity: 'info',
    says: 'The origin is sent over unencrypted connections too.',
    fix: 'Use the strict- form of the policy.',
  },

  permissions_missing: {
    severity: 'low',
    says: 'Embedded content is not kept from asking for camera, microphone, location and other features.',
    fix: SEND_PERMISSIONS,
  },
  permissions_invalid: {
    severity: 'low',
    says: 'The value is no structured dictionary (RFC 9651), so browsers ignore it.',
    fix: SEND_PERMISSIONS,
    ignored: true,
  },
  permissions_open: {
    severity: 'low',
    says: 'Powerful features are opened to every embedded site.',
    fix: 'Name the origins that need the feature, or (self).',
  },

  coop_missing: {
    severity: 'info',
    says: 'Pages opened from elsewhere keep a reference to this one.',
    fix: 'Send Cross-Origin-Opener-Policy: same-origin, or same-origin-allow-popups.',
  },
  coop_invalid: {
    severity: 'low',
    says: 'The value is none that browsers know, so the default unsafe-none holds.',
    fix: 'Send Cross-Origin-Opener-Policy: same-origin.',
    ignored: true,
  },
  coop_unsafe_none: {
    severity: 'info',
    says: 'unsafe-none is the default, without isolation.',
    fix: 'Send Cross-Origin-Opener-Policy: same-origin.',
  },
  coep_missing: {
    severity: 'info',
    says: 'Resources of other sites load without their consent, so the page is not cross-origin isolated.',
    fix: 'Where isolation is wanted, send Cross-Origin-Embedder-Policy: require-corp or credentialless.',
  },
  coep_invalid: {
    severity: 'low',
    says: 'The value is none that browsers know, so the default unsafe-none holds.',
    fix: 'Send Cross-Origin-Embedder-Policy: require-corp or credentialless.',
    ignored: true,
  },
  coep_unsafe_none: {
    severity: 'info',
    says: 'unsafe-none is the default, without isolation.',
    fix: 'Where isolation is wanted, send Cross-Origin-Embedder-Policy: require-corp.',
  },
  corp_missing: {
    severity: 'info',
    says: 'Other sites may embed this resource.',
    fix: 'Send Cross-Origin-Resource-Policy: same-origin or same-site, except on what others are meant to embed.',
  },
  corp_invalid: {
    severity: 'low',
    says: 'The value is none that browsers know (it is compared exactly), so no policy holds.',
    fix: 'Send Cross-Origin-Resource-Policy: same-origin, same-site or cross-origin.',
    ignored: true,
  },

  cookie_session_without_secure: {
    severity: 'high',
    says: 'Session cookies also travel over unencrypted connections: no Secure attribute.',
    fix: 'Add Secure.',
  },
  cookie_session_without_secure_under_hsts: {
    severity: 'low',
    says: 'Session cookies have no Secure attribute; only Strict-Transport-Security keeps them off unencrypted connections.',
    fix: 'Add Secure.',
  },
  cookie_session_without_httponly: {
    severity: 'medium',
    says: 'Scripts can read session cookies: no HttpOnly attribute.',
    fix: 'Add HttpOnly.',
  },
  cookie_without_secure: {
    severity: 'medium',
    says: 'Cookies also travel over unencrypted connections: no Secure attribute.',
    fix: 'Add Secure.',
  },
  cookie_without_secure_under_hsts: {
    severity: 'info',
    says: 'Cookies have no Secure attribute; only Strict-Transport-Security keeps them off unencrypted connections.',
    fix: 'Add Secure.',
  },
  cookie_samesite_invalid: {
    severity: 'medium',
    says: 'SameSite has a value that is none of Strict, Lax and None.',
    fix: 'Set SameSite=Lax or Strict; None only for what other sites need, with Secure.',
  },
  cookie_samesite_none_without_secure: {
    severity: 'medium',
    says: 'Browsers refuse cookies with SameSite=None and no Secure attribute.',
    fix: 'Add Secure.',
  },
  cookie_anticsrf_without_samesite: {
    severity: 'medium',
    says: 'Cookies against request forgery have no SameSite attribute.',
    fix: 'Set SameSite=Strict or Lax.',
  },
  cookie_session_without_samesite: {
    severity: 'low',
    says: 'Session cookies leave SameSite to the default of each browser.',
    fix: 'Set SameSite=Lax or Strict.',
  },
  cookie_prefix_violated: {
    severity: 'medium',
    says: 'Browsers refuse cookies whose __Secure- or __Host- prefix promises what their attributes do not keep.',
    fix: COOKIE_PREFIX,
  },
  cookie_invalid: {
    severity: 'info',
    says: 'Cookies are empty or longer than the 4096 bytes that browsers take.',
    fix: 'Send a name and a value of at most 4096 bytes.',
  },

  cors_wildcard_with_credentials: {
    severity: 'medium',
    says: 'Every origin and credentials are allowed at once, which browsers refuse; a server meaning that often reflects origins.',
    fix: 'Name the trusted origins, and allow credentials to those alone.',
  },
  cors_null_origin: {
    severity: 'medium',
    says: 'The origin null is allowed: any site reaches it from a sandboxed frame.',
    fix: 'Do not allow null; name the trusted origins.',
  },
  cors_null_origin_with_credentials: {
    severity: 'high',
    says: 'The origin null is allowed with credentials: any site can read what a visitor is shown, from a sandboxed frame.',
    fix: 'Do not allow null; name the trusted origins.',
  },
  cors_reflects_origin_with_credentials: {
    severity: 'high',
    says: 'Any origin that asks is allowed, with credentials: any site can read what a visitor is shown.',
    fix: 'Compare the origin with a list of trusted ones before it is allowed.',
  },
  cors_reflects_origin: {
    severity: 'low',
    says: 'Any origin that asks is allowed.',
    fix: 'Compare the origin with a list of trusted ones, or send * where everything is public.',
  },
  cors_invalid: {
    severity: 'low',
    says: 'The value is neither *, null nor one origin, so browsers allow nobody.',
    fix: 'Send one origin, and Vary: Origin.',
    ignored: true,
  },
  cors_public: {
    severity: 'info',
    says: 'Every site may read this response, without credentials.',
    fix: 'Nothing, where it is meant to be public.',
  },

  discloses_version: {
    severity: 'low',
    says: 'The header tells the version of software that is in use.',
    fix: HIDE_VERSION,
  },
  discloses_software: { severity: 'info', says: 'The header tells what software is in use.', fix: HIDE_VERSION },
  deprecated_header: {
    severity: 'info',
    says: 'The header is deprecated, and current browsers ignore it.',
    fix: REMOVE_HEADER,
  },
  xss_protection_enabled: {
    severity: 'info',
    says: 'The filter that it turns on is gone from current browsers, and opened holes in those that had it.',
    fix: 'Take the header away, or send X-XSS-Protection: 0.',
  },
} as const satisfies Record<string, HeaderIssueDefinition>;

export type HeaderIssueCode = keyof typeof HEADER_ISSUES;
