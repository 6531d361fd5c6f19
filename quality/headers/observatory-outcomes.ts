import { type CspAnalysis, analyzeCsp } from '../../src/analysis/headers/check-csp.ts';
import { gradeHeaders } from '../../src/analysis/headers/grade-headers.ts';
import { frameAncestorsPolicy } from '../../src/analysis/headers/framing.ts';
import { type HeaderMap, type RawHeaders, toHeaderMap } from '../../src/analysis/headers/header-map.ts';
import type { HeaderIssueCode } from '../../src/analysis/headers/header-issues.ts';

/**
 * Where we judge otherwise than the suite: `file:test#number`, and why. What a case expects is then what we must not answer.
 * Points are not compared, as the scale of the suite is another than ours; but what fails there costs points here.
 * Its files on redirection and on integrity are judged in test/analysis/headers/redirects.test.ts and page/integrity-suite.test.ts.
 */
export const OTHERWISE: Readonly<Record<string, string>> = {
  'csp.test.js:no unsafe default src none#1':
    'http: also matches https addresses (CSP3, 6.7.2.8), so http: and https: together still let any https host serve script',
  'strict-transport-security.test.js:preloaded#1':
    "rests on the browsers' preload list, which response headers do not show",
  'strict-transport-security.test.js:preloaded#2':
    "rests on the browsers' preload list, which response headers do not show",
  'x-frame-options.test.js:checks validity#2':
    'the HTML standard (7.4.6) reads the values as a set: SAMEORIGIN twice is SAMEORIGIN, and we note that it is repeated',
};

/** A case of the suite of MDN's HTTP Observatory. */
export interface ObservatoryCase {
  key: string;
  n: number;
  given: {
    response_headers: Record<string, string | string[] | null>;
    https_response_headers?: Record<string, string | string[]>;
    https_response?: null;
    cors_request_headers?: { origin?: string };
    cors_response_headers?: Record<string, string | string[]>;
    html?: string;
  };
  expected: {
    result?: string;
    pass?: boolean;
    also?: { path: string; op: string; value: unknown }[];
  };
}

/** The outcome of the suite that each of our issues corresponds to, worst first; `clean` without any of them. */
export interface Translation {
  file: string;
  header: string;
  outcomes: readonly (readonly [HeaderIssueCode, string])[];
  clean: (value: string, csp: CspAnalysis, headers: HeaderMap) => string;
}

export const TRANSLATIONS: readonly Translation[] = [
  {
    file: 'content-security-policy',
    header: 'Content-Security-Policy',
    outcomes: [
      ['csp_missing', 'csp-not-implemented'],
      ['csp_report_only', 'csp-not-implemented-but-reporting-enabled'],
      ['csp_invalid', 'csp-header-invalid'],
      ['csp_strict_dynamic_alone', 'csp-header-invalid'],
      ['csp_script_src_missing', 'csp-implemented-with-unsafe-inline'],
      ['csp_script_unsafe_inline', 'csp-implemented-with-unsafe-inline'],
      ['csp_script_unrestricted_source', 'csp-implemented-with-unsafe-inline'],
      ['csp_object_src_missing', 'csp-implemented-with-unsafe-inline'],
      ['csp_object_src_unrestricted', 'csp-implemented-with-unsafe-inline'],
      ['csp_insecure_source', 'csp-implemented-with-insecure-scheme'],
      ['csp_script_unsafe_eval', 'csp-implemented-with-unsafe-eval'],
      ['csp_passive_insecure_source', 'csp-implemented-with-insecure-scheme-in-passive-content-only'],
      ['csp_style_unsafe_inline', 'csp-implemented-with-unsafe-inline-in-style-src-only'],
      ['csp_style_unrestricted_source', 'csp-implemented-with-unsafe-inline-in-style-src-only'],
    ],
    clean: (_, { default_none }) =>
      default_none ? 'csp-implemented-with-no-unsafe-default-src-none' : 'csp-implemented-with-no-unsafe',
  },
  {
    file: 'cookies',
    header: 'Set-Cookie',
    outcomes: [
      ['cookie_session_without_secure', 'cookies-session-without-secure-flag'],
      ['cookie_session_without_httponly', 'cookies-session-without-httponly-flag'],
      ['cookie_samesite_invalid', 'cookies-samesite-flag-invalid'],
      ['cookie_samesite_none_without_secure', 'cookies-without-secure-flag'],
      ['cookie_anticsrf_without_samesite', 'cookies-anticsrf-without-samesite-flag'],
      ['cookie_without_secure', 'cookies-without-secure-flag'],
      ['cookie_session_without_secure_under_hsts', 'cookies-session-without-secure-flag-but-protected-by-hsts'],
      ['cookie_without_secure_under_hsts', 'cookies-without-secure-flag-but-protected-by-hsts'],
      ['cookie_session_without_samesite', 'cookies-secure-with-httponly-sessions'],
    ],
    clean: () => 'cookies-secure-with-httponly-sessions-and-samesite',
  },
  {
    file: 'cross-origin-embedder-policy',
    header: 'Cross-Origin-Embedder-Policy',
    outcomes: [
      ['coep_missing', 'coep-not-implemented'],
      ['coep_invalid', 'coep-header-invalid'],
      ['coep_unsafe_none', 'coep-implemented-with-unsafe-none'],
    ],
    clean: (value) => `coep-implemented-with-${value.split(';')[0]}`,
  },
  {
    file: 'cross-origin-opener-policy',
    header: 'Cross-Origin-Opener-Policy',
    outcomes: [
      ['coop_missing', 'coop-not-implemented'],
      ['coop_invalid', 'coop-header-invalid'],
      ['coop_unsafe_none', 'coop-implemented-with-unsafe-none'],
    ],
    clean: (value) => `coop-implemented-with-${value.split(';')[0]}`,
  },
  {
    file: 'cross-origin-resource-policy',
    header: 'Cross-Origin-Resource-Policy',
    outcomes: [
      ['corp_missing', 'corp-not-implemented'],
      ['corp_invalid', 'corp-header-invalid'],
    ],
    clean: (value) => `corp-implemented-with-${value}`,
  },
  {
    file: 'cross-origin-resource-sharing',
    header: 'Access-Control-Allow-Origin',
    outcomes: [
      ['cors_reflects_origin_with_credentials', 'cross-origin-resource-sharing-implemented-with-universal-access'],
      ['cors_public', 'cross-origin-resource-sharing-implemented-with-public-access'],
    ],
    clean: () => 'cross-origin-resource-sharing-implemented-with-restricted-access',
  },
  {
    file: 'referrer-policy',
    header: 'Referrer-Policy',
    outcomes: [
      ['referrer_missing', 'referrer-policy-not-implemented'],
      ['referrer_invalid', 'referrer-policy-header-invalid'],
      ['referrer_unsafe', 'referrer-policy-unsafe'],
      ['referrer_full_address', 'referrer-policy-unsafe'],
      ['referrer_origin_over_http', 'referrer-policy-unsafe'],
    ],
    clean: () => 'referrer-policy-private',
  },
  {
    file: 'strict-transport-security',
    header: 'Strict-Transport-Security',
    outcomes: [
      ['hsts_without_https', 'hsts-not-implemented-no-https'],
      ['hsts_missing', 'hsts-not-implemented'],
      ['hsts_invalid', 'hsts-header-invalid'],
      ['hsts_disabled', 'hsts-implemented-max-age-less-than-six-months'],
      ['hsts_short_max_age', 'hsts-implemented-max-age-less-than-six-months'],
    ],
    clean: () => 'hsts-implemented-max-age-at-least-six-months',
  },
  {
    file: 'x-frame-options',
    header: 'X-Frame-Options',
    outcomes: [
      ['framing_missing', 'x-frame-options-not-implemented'],
      ['framing_open', 'x-frame-options-implemented-via-csp'],
      ['xfo_invalid', 'x-frame-options-header-invalid'],
      ['xfo_allow_from', 'x-frame-options-allow-from-origin'],
    ],
    clean: (_value, _csp, headers) =>
      frameAncestorsPolicy(headers) === 'restricted'
        ? 'x-frame-options-implemented-via-csp'
        : 'x-frame-options-sameorigin-or-deny',
  },
];

/** The outcome by the suite's words of what we find in these headers. */
export function observatoryOutcome(given: ObservatoryCase['given'], translation: Translation): string {
  const headers = headersOfCase(given, translation);
  const metaCsp = metaPolicies(given.html ?? '');
  const origin = given.cors_request_headers?.origin;
  const report = gradeHeaders(headers, {
    https: given.https_response !== null,
    metaCsp,
    ...(origin !== undefined && { foreignOrigin: origin }),
  });
  const finding = report.findings.find(({ header }) => header === translation.header);
  const value = toHeaderMap(headers).get(translation.header.toLowerCase())?.join(', ') ?? '';
  const [, outcome] = translation.outcomes.find(([code]) => finding?.issues.includes(code)) ?? [];
  const map = toHeaderMap(headers);
  return outcome ?? translation.clean(value, analyzeCsp(map, metaCsp), map);
}

/** The headers that a case is about. */
export function headersOfCase(given: ObservatoryCase['given'], { file }: Pick<Translation, 'file'>): RawHeaders {
  const headers =
    (file === 'strict-transport-security' ? given.https_response_headers : undefined) ??
    given.cors_response_headers ??
    given.response_headers;
  return Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null));
}

/** Enough for the markup of the suite. */
export function metaPolicies(html: string): string[] {
  return [...html.matchAll(/<meta\s+http-equiv="\s*content-security-policy\s*"\s+content="([^"]*)"/gi)].map(
    ([, content]) => content!,
  );
}
