import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CspEvaluator } from 'csp_evaluator';
import { Severity, Type } from 'csp_evaluator/dist/finding.js';
import { CspParser } from 'csp_evaluator/dist/parser.js';
import { gradeHeaders, type HeaderContext } from '../../../src/analysis/headers/grade-headers.ts';
import { type RawHeaders, toHeaderMap } from '../../../src/analysis/headers/header-map.ts';
import { parseHsts } from '../../../src/analysis/headers/hsts.ts';
import { HEADER_ISSUES, type HeaderIssueCode } from '../../../src/analysis/headers/header-issues.ts';

const NONCE = "'nonce-MTIzNDU2Nzg5MDEyMzQ1Ng=='";
const GOOD: RawHeaders = {
  'Content-Security-Policy': `default-src 'none'; script-src ${NONCE} 'strict-dynamic'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains; preload',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), geolocation=(self "https://maps.example")',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Set-Cookie': ['__Host-sid=1; Path=/; Secure; HttpOnly; SameSite=Lax', 'theme=dark; Secure; SameSite=Lax'],
  Server: 'nginx',
};

function issuesOf(header: string, given: RawHeaders, context?: HeaderContext): string[] {
  return gradeHeaders(given, context).findings.find((finding) => finding.header === header)?.issues ?? [];
}

describe('the grade', () => {
  test('nothing to find: A, 100', () => {
    const report = gradeHeaders(GOOD);
    assert.deepEqual(report.findings, []);
    assert.equal(report.score, 100);
    assert.equal(report.grade, 'A');
    assert.deepEqual(report.headers_missing, [], 'frame-ancestors stands in for X-Frame-Options');
  });

  test('nothing sent: 25 + 25 + 15 + 15 + 10 + 10 points are lost', () => {
    const report = gradeHeaders({});
    assert.equal(report.score, 0);
    assert.equal(report.grade, 'F');
    assert.deepEqual(report.by_severity, { CRITICAL: 0, HIGH: 2, MEDIUM: 2, LOW: 2, INFO: 3 });
    assert.equal(report.total, 9);
    assert.equal(report.headers_missing.length, 9);
    assert.deepEqual(report.headers_present, []);
  });

  // One header taken away at a time, and the points that decisions give its weight.
  const losses: [string, number, string][] = [
    ['Content-Security-Policy', 100 - 25 - 15, 'C'], // with it goes what kept frames away
    ['Strict-Transport-Security', 75, 'B'],
    ['X-Content-Type-Options', 85, 'B'],
    ['Referrer-Policy', 90, 'A'],
    ['Permissions-Policy', 90, 'A'],
    ['Cross-Origin-Opener-Policy', 100, 'A'],
  ];
  for (const [header, score, grade] of losses) {
    test(`without ${header}`, () => {
      const { [header]: _, ...rest } = GOOD;
      const report = gradeHeaders(rest);
      assert.deepEqual([report.score, report.grade], [score, grade]);
    });
  }

  test('worst first, and worst issue first', () => {
    const { findings } = gradeHeaders({ 'Content-Security-Policy': "script-src 'unsafe-inline'; object-src 'none'" });
    assert.deepEqual(
      findings.map(({ severity }) => severity),
      findings
        .map(({ severity }) => severity)
        .toSorted((a, b) => 'high medium low info'.indexOf(a) - 'high medium low info'.indexOf(b)),
    );
    assert.equal(
      findings.find(({ header }) => header === 'Content-Security-Policy')!.issues[0],
      'csp_script_unsafe_inline',
    );
  });
});

describe('Content-Security-Policy', () => {
  const HEADER = 'Content-Security-Policy';
  const csp = (...values: string[]): string[] => issuesOf(HEADER, { [HEADER]: values });
  const policies: [string, string[], string[]][] = [
    ['nothing sent', [], ['csp_missing']],
    [
      'unsafe-inline beside a nonce means nothing',
      [`script-src ${NONCE} 'unsafe-inline'; base-uri 'self'; object-src 'none'; form-action 'self'; style-src 'self'`],
      [],
    ],
    [
      'unsafe-inline beside a hash means nothing',
      [
        "default-src 'self'; script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'unsafe-inline'; base-uri 'self'; form-action 'self'",
      ],
      [],
    ],
    [
      'hosts beside strict-dynamic mean nothing',
      [
        `default-src 'self'; script-src ${NONCE} 'strict-dynamic' https: http: 'unsafe-inline'; base-uri 'self'; form-action 'self'`,
      ],
      [],
    ],
    [
      'a nonce without base-uri',
      [`default-src 'self'; script-src ${NONCE}; form-action 'self'`],
      ['csp_base_uri_missing_with_nonce'],
    ],
    [
      'a short nonce',
      ["default-src 'none'; script-src 'nonce-r4nd0mKx9Zq'; base-uri 'none'; form-action 'none'"],
      ['csp_short_nonce'],
    ],
    ['no base-uri, where no script runs', ["default-src 'none'; form-action 'none'"], []],
    [
      'a nonce that can be guessed',
      ["default-src 'none'; script-src 'nonce-abc123'; base-uri 'none'; form-action 'none'"],
      ['csp_weak_nonce'],
    ],
    [
      'unsafe-inline for handlers alone',
      ["default-src 'self'; script-src-attr 'unsafe-inline'; base-uri 'self'; form-action 'self'"],
      ['csp_script_unsafe_inline'],
    ],
    [
      'a host with JSONP',
      ["default-src 'self'; script-src https://ajax.googleapis.com; base-uri 'self'; form-action 'self'"],
      ['csp_script_bypass_host'],
    ],
    [
      'a path on it without',
      [
        "default-src 'self'; script-src https://ajax.googleapis.com/ajax/libs/jquery/; base-uri 'self'; form-action 'self'",
      ],
      [],
    ],
    [
      'a wildcard over it',
      ["default-src 'self'; script-src *.googleapis.com; base-uri 'self'; form-action 'self'"],
      ['csp_script_bypass_host'],
    ],
    ['keywords without quotes', ['default-src self; base-uri none; form-action none'], ['csp_unquoted_keyword']],
    [
      'unencrypted, but upgraded',
      ["default-src 'self'; img-src http:; base-uri 'self'; form-action 'self'; upgrade-insecure-requests"],
      [],
    ],
    [
      'two policies: both let inline in',
      ["script-src 'unsafe-inline'", "script-src 'unsafe-inline' 'self'"].map((policy) => `${policy}; ${REST()}`),
      ['csp_script_unsafe_inline'],
    ],
    [
      'two policies: one does not',
      ["script-src 'unsafe-inline'", "script-src 'self'"].map((policy) => `${policy}; ${REST()}`),
      [],
    ],
    [
      'two policies: one does not speak of scripts',
      ["script-src 'unsafe-inline'", "img-src 'self'"].map((policy) => `${policy}; ${REST()}`),
      ['csp_script_unsafe_inline'],
    ],
    ['two policies in one value', [`script-src 'unsafe-eval'; ${REST()}, script-src 'self'`], []],
    ['nothing that is known', ['allow self; foo bar'], ['csp_invalid']],
  ];
  for (const [name, values, expected] of policies) test(name, () => assert.deepEqual(csp(...values), expected));

  test('a policy that is only reported on is none', () => {
    const given = { 'content-security-policy-report-only': "default-src 'self'" };
    const finding = gradeHeaders(given).findings.find(({ header }) => header === HEADER)!;
    assert.deepEqual(
      [finding.issues, finding.severity, finding.present, finding.valid],
      [['csp_report_only'], 'HIGH', false, false],
    );
  });

  test('a policy in the page holds too, but not its frame-ancestors', () => {
    const context = { metaCsp: [`${REST()}; script-src 'self'; frame-ancestors 'none'`] };
    assert.deepEqual(issuesOf(HEADER, {}, context), ['csp_meta_directive_ignored']);
    assert.deepEqual(issuesOf('X-Frame-Options', {}, context), ['framing_missing']);
  });

  /** What Google's evaluator rates as high, and the issue of ours that says the same. */
  const SAME: Partial<Record<Type, readonly HeaderIssueCode[]>> = {
    [Type.MISSING_DIRECTIVES]: ['csp_script_src_missing', 'csp_object_src_missing', 'csp_base_uri_missing_with_nonce'],
    [Type.SCRIPT_UNSAFE_INLINE]: ['csp_script_unsafe_inline'],
    [Type.PLAIN_URL_SCHEMES]: [
      'csp_script_unrestricted_source',
      'csp_object_src_unrestricted',
      'csp_base_uri_unrestricted',
    ],
    [Type.PLAIN_WILDCARD]: [
      'csp_script_unrestricted_source',
      'csp_object_src_unrestricted',
      'csp_base_uri_unrestricted',
    ],
    [Type.SCRIPT_ALLOWLIST_BYPASS]: ['csp_script_bypass_host'],
  };
  for (const policy of [
    "script-src 'unsafe-inline' 'unsafe-eval' 'self' data: https://www.google.com http://www.google-analytics.com/gtm/js https://*.gstatic.com/feedback/ https://ajax.googleapis.com; style-src 'self'",
    `script-src 'strict-dynamic' ${NONCE} 'unsafe-inline' http: https:; object-src 'none'; base-uri 'none'`,
    `script-src ${NONCE}; object-src 'none'`,
    'default-src *',
    'default-src https:; base-uri *',
    "default-src 'self' https://cdn.jsdelivr.net",
    "script-src https://api.flickr.com/services/feeds/photos_friends.gne; default-src 'none'",
    "img-src 'self'",
    "default-src 'none'; script-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'unsafe-inline'",
    "object-src 'none'; script-src https://example.org:443/lib/",
  ]) {
    test(`finds what another evaluator finds: ${policy.slice(0, 60)}`, () => {
      const theirs = new CspEvaluator(new CspParser(policy).csp)
        .evaluate()
        .filter(({ severity }) => severity === Severity.HIGH);
      const ours = new Set(csp(policy));
      const kinds = new Set(theirs.map(({ type }) => type));
      for (const kind of kinds)
        assert.ok(
          SAME[kind]?.some((code) => ours.has(code)),
          `they find ${Type[kind]}`,
        );
      const high = [...ours].filter((code) => HEADER_ISSUES[code as HeaderIssueCode].severity === 'HIGH');
      if (high.length > 0) assert.ok(theirs.length > 0, `${high.join()} is ours alone`);
    });
  }
});

function REST(): string {
  return "object-src 'none'; base-uri 'none'; form-action 'none'; style-src 'self'";
}

describe('Strict-Transport-Security', () => {
  // RFC 6797, section 6.2, and its grammar.
  const values: [string, ReturnType<typeof parseHsts>][] = [
    ['max-age=31536000', { max_age: 31_536_000, include_subdomains: false, preload: false }],
    ['max-age=15768000 ; includeSubDomains', { max_age: 15_768_000, include_subdomains: true, preload: false }],
    ['max-age="31536000"', { max_age: 31_536_000, include_subdomains: false, preload: false }],
    ['max-age=0; includeSubDomains', { max_age: 0, include_subdomains: true, preload: false }],
    ['MAX-AGE=1; PRELOAD; unknown=x;', { max_age: 1, include_subdomains: false, preload: true }],
    ['includeSubDomains', null],
    ['max-age=1; max-age=2', null],
    ['max-age=-1', null],
    ['max-age=1, max-age=2', null],
    ['', null],
  ];
  for (const [value, expected] of values) test(value, () => assert.deepEqual(parseHsts(value), expected));

  const HEADER = 'Strict-Transport-Security';
  const judged: [string | string[], string[]][] = [
    ['max-age=0', ['hsts_disabled']],
    ['max-age=86400; includeSubDomains', ['hsts_short_max_age']],
    ['max-age=31536000', ['hsts_no_subdomains']],
    ['max-age=31536000; preload', ['hsts_preload_not_eligible', 'hsts_no_subdomains']],
    [['max-age=31536000; includeSubDomains', 'max-age=0'], ['hsts_repeated']],
  ];
  for (const [value, expected] of judged) {
    test(`judged: ${value}`, () => assert.deepEqual(issuesOf(HEADER, { [HEADER]: value }), expected));
  }

  test('not over HTTP', () => {
    assert.deepEqual(issuesOf(HEADER, { [HEADER]: 'max-age=31536000' }, { https: false }), ['hsts_without_https']);
  });
});

test('framing: frame-ancestors goes before X-Frame-Options', () => {
  const frames = (csp: string | null, options: string | string[] | null): string[] =>
    issuesOf('X-Frame-Options', {
      ...(csp === null ? {} : { 'content-security-policy': csp }),
      ...(options === null ? {} : { 'x-frame-options': options }),
    });
  assert.deepEqual(frames(null, 'deny'), []);
  assert.deepEqual(frames("frame-ancestors 'self' https://a.example", null), []);
  assert.deepEqual(frames('frame-ancestors *', 'DENY'), ['framing_open']);
  assert.deepEqual(frames("frame-ancestors *, frame-ancestors 'none'", null), []);
  assert.deepEqual(frames(null, 'ALLOW-FROM https://a.example'), ['xfo_allow_from']);
  assert.deepEqual(frames(null, ['DENY', 'SAMEORIGIN']), ['xfo_conflicting']);
  assert.deepEqual(frames(null, 'ALLOWALL'), ['xfo_invalid']);
});

test('Referrer-Policy: the last that is known holds', () => {
  const referrer = (value: string): string[] => issuesOf('Referrer-Policy', { 'referrer-policy': value });
  assert.deepEqual(referrer('unsafe-url, strict-origin-when-cross-origin'), []);
  assert.deepEqual(referrer('no-referrer, unsafe-url'), ['referrer_unsafe']);
  assert.deepEqual(referrer('no-referrer, policy-to-come'), []);
  assert.deepEqual(referrer('origin'), ['referrer_origin_over_http']);
  assert.deepEqual(referrer('no-referrer-when-downgrade'), ['referrer_full_address']);
  assert.deepEqual(referrer('never'), ['referrer_invalid']);
});

test('Permissions-Policy is a structured dictionary', () => {
  const permissions = (value: string): string[] => issuesOf('Permissions-Policy', { 'permissions-policy': value });
  assert.deepEqual(permissions('camera=(), fullscreen=*'), []);
  assert.deepEqual(permissions('camera=*, microphone=(self *)'), ['permissions_open']);
  assert.deepEqual(permissions("geolocation 'none'; camera 'none'"), ['permissions_invalid']);
});

test('Permissions-Policy: what is not read is said', () => {
  const permissions = (value: string): string[] => issuesOf('Permissions-Policy', { 'permissions-policy': value });
  assert.deepEqual(permissions('camera=none, fullscreen=(self "https://a.example")'), ['permissions_value_ignored']);
  assert.deepEqual(permissions('geolocation=("a.example")'), ['permissions_value_ignored']);
  assert.deepEqual(permissions('camera=(), ch-ua-model=*, speaker=()'), ['permissions_unknown_feature']);
});

test('cross-origin isolation needs both headers', () => {
  const embedder = (opener: string | null, value: string): string[] =>
    issuesOf('Cross-Origin-Embedder-Policy', {
      ...(opener === null ? {} : { 'cross-origin-opener-policy': opener }),
      'cross-origin-embedder-policy': value,
    });
  assert.deepEqual(embedder('same-origin', 'require-corp'), []);
  assert.deepEqual(embedder('same-origin; report-to="x"', 'credentialless'), []);
  assert.deepEqual(embedder('same-origin-allow-popups', 'require-corp'), ['isolation_incomplete']);
  assert.deepEqual(embedder(null, 'credentialless'), ['isolation_incomplete']);
});

describe('Trusted Types and reporting', () => {
  const csp = (more: string, headers: RawHeaders = {}): string[] =>
    issuesOf('Content-Security-Policy', {
      'content-security-policy': `script-src 'self'; ${REST()}; ${more}`,
      ...headers,
    });
  for (const [policy, expected] of [
    ["require-trusted-types-for 'script'", []],
    ["require-trusted-types-for 'script'; trusted-types default dompurify", []],
    ['require-trusted-types-for script', ['csp_trusted_types_invalid']],
    ['trusted-types default', ['csp_trusted_types_not_required']],
    ["require-trusted-types-for 'script'; trusted-types * 'allow-duplicates'", ['csp_trusted_types_open']],
    ["script-src-elem 'strict-dynamic'", ['csp_strict_dynamic_alone']],
    ['report-uri /r', []],
    ['report-to main; report-uri /r', []],
    ['report-to main', ['csp_unknown_reporting_endpoint']],
  ] as const) {
    test(policy, () => assert.deepEqual(csp(policy), expected));
  }
  test('an endpoint by either header', () => {
    assert.deepEqual(csp('report-to main', { 'reporting-endpoints': 'main="https://r.example/"' }), []);
    const group = '{"group":"main","max_age":1,"endpoints":[{"url":"https://r.example/"}]}';
    assert.deepEqual(csp('report-to main', { 'report-to': group }), []);
    assert.deepEqual(csp('report-to main', { 'reporting-endpoints': 'other="/r"' }), [
      'csp_unknown_reporting_endpoint',
    ]);
  });

  const GROUP = '{"group":"nel","max_age":9,"endpoints":[{"url":"https://r.example/"}]}';
  for (const [header, value, expected] of [
    ['Reporting-Endpoints', 'a="https://r.example/", b="/local"', []],
    ['Reporting-Endpoints', 'a="http://r.example/"', ['reporting_insecure_endpoint']],
    ['Reporting-Endpoints', 'a=https://r.example/', ['reporting_invalid']],
    ['Report-To', `${GROUP}, ${GROUP}`, []],
    ['Report-To', '{"endpoints":[]}', ['reporting_invalid']],
    ['Report-To', "{'group':'a'}", ['reporting_invalid']],
    ['NEL', '{"report_to":"nel","max_age":9}', []],
    ['NEL', '{"max_age":0}', []],
    ['NEL', '{"report_to":"other","max_age":9}', ['nel_unknown_group']],
    ['NEL', '{"report_to":"nel"}', ['nel_invalid']],
    ['Clear-Site-Data', '"cache", "cookies", "executionContexts"', []],
    ['Clear-Site-Data', '"*"', []],
    ['Clear-Site-Data', 'cache, cookies', ['clear_site_data_invalid']],
    ['Clear-Site-Data', '"cache", "everything"', ['clear_site_data_type_ignored']],
    ['Origin-Agent-Cluster', '?1', []],
    ['Origin-Agent-Cluster', 'true', ['agent_cluster_invalid']],
  ] as const) {
    test(`${header}: ${value}`, () =>
      assert.deepEqual(issuesOf(header, { 'Report-To': GROUP, [header]: value }), expected));
  }
});

test('structured fields (RFC 9651)', () => {
  const opener = (value: string): string[] =>
    issuesOf('Cross-Origin-Opener-Policy', { 'cross-origin-opener-policy': value });
  for (const right of ['same-origin; report-to="coop"', 'same-origin; report-to']) assert.deepEqual(opener(right), []);
  for (const wrong of ['', 'a b', 'a;', 'a; B=1', 'a; x=coop endpoint', '"open', 'a, b', 'ä'])
    assert.deepEqual(opener(wrong), ['coop_invalid'], wrong);
  const permissions = (value: string): string[] => issuesOf('Permissions-Policy', { 'permissions-policy': value });
  assert.deepEqual(
    permissions('camera=(1 2);q=1.5, b, c=?0, camera=*'),
    ['permissions_open', 'permissions_unknown_feature'],
    'the last value holds',
  );
  for (const wrong of ['a=', 'a=(1', 'a=(1"x")', 'A=1', 'a,,b', 'a,', 'a b'])
    assert.deepEqual(permissions(wrong), ['permissions_invalid'], wrong);
});

describe('cookies', () => {
  const cookies = (value: string | string[], hsts = true): string[] =>
    issuesOf('Set-Cookie', {
      'set-cookie': value,
      ...(hsts ? { 'strict-transport-security': 'max-age=31536000' } : {}),
    });
  const judged: [string, string[]][] = [
    ['theme=dark; Secure', []],
    ['sid=1; Secure; HttpOnly; SameSite=Lax', []],
    ['sid=1; secure; httponly', ['cookie_session_without_samesite']],
    ['sid=1; HttpOnly; SameSite=Lax', ['cookie_session_without_secure_under_hsts']],
    ['a=1; SameSite=None', ['cookie_samesite_none_without_secure']],
    ['a=1; Secure; SameSite=None', []],
    ['a=1; Secure; SameSite=Sometimes', ['cookie_samesite_invalid']],
    ['csrftoken=1; Secure', ['cookie_anticsrf_without_samesite']],
    ['__Secure-a=1; HttpOnly', ['cookie_prefix_violated', 'cookie_without_secure_under_hsts']],
    ['__Host-a=1; Secure; Path=/; Domain=example.org', ['cookie_prefix_violated']],
    ['__Host-a=1; Secure; Path=/app', ['cookie_prefix_violated']],
    ['__host-a=1; Secure', ['cookie_prefix_violated']],
    ['__Http-a=1; Secure', ['cookie_prefix_violated']],
    ['__Http-a=1; Secure; HttpOnly', []],
    ['__Host-Http-a=1; Secure; HttpOnly; Path=/', []],
    ['a=1; SameSite=Lax; Partitioned', ['cookie_partitioned_without_secure']],
    ['a=1; Secure; SameSite=None; Partitioned', []],
    [`a=${'x'.repeat(5000)}; Secure`, ['cookie_invalid']],
  ];
  for (const [value, expected] of judged) test(value.slice(0, 60), () => assert.deepEqual(cookies(value), expected));

  test('without HSTS an unencrypted session is worse', () => {
    assert.deepEqual(cookies('sid=1; HttpOnly; SameSite=Lax', false), ['cookie_session_without_secure']);
  });

  test('joined by commas, with dates in them', () => {
    const joined = 'a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Secure, b=2, c=3; Path=/';
    assert.deepEqual(toHeaderMap({ 'Set-Cookie': joined }).get('set-cookie'), [
      'a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Secure',
      'b=2',
      'c=3; Path=/',
    ]);
  });

  test('lines that were sent apart are not split at commas', () => {
    const lines = ['prefs=a,sid=1; Secure', 'theme=x,token=y; Secure'];
    assert.deepEqual(toHeaderMap({ 'Set-Cookie': lines }).get('set-cookie'), lines);
    assert.deepEqual(cookies(lines), []);
  });

  // RFC 6265bis, 5.6.3: Max-Age counts before Expires, and what is over when it comes is taken away.
  for (const [attributes, date, deleted] of [
    ['Max-Age=0', null, true],
    ['Max-Age=-1', null, true],
    ['Max-Age=3600', null, false],
    ['Max-Age=3600; Expires=Thu, 01 Jan 1970 00:00:00 GMT', null, false],
    ['Max-Age=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT', null, true],
    ['Expires=Thu, 01-Jan-1970 00:00:01 GMT', null, true],
    ['Expires=Thursday, 01-Jan-70 00:00:01 GMT', null, true],
    ['Expires=Mon, 26 Jul 1997 05:00:00 GMT; path=/', null, true],
    ['Expires=Wed, 21 Oct 2037 07:28:00 GMT', null, false],
    ['Expires=Wed, 21 Oct 2037 07:28:00 GMT', 'Thu, 22 Oct 2037 07:28:00 GMT', true],
    ['Expires=Wed, 21 Oct 2037 07:28:00 GMT', 'Wed, 21 Oct 2037 07:27:59 GMT', false],
    // No date: browsers pass over it, and the cookie stays until the browser is closed.
    ['Expires=0', null, false],
    ['Expires=-1', null, false],
    ['Expires=', null, false],
  ] as const) {
    test(`${attributes}${date === null ? '' : ` at ${date}`}: ${deleted ? 'a deletion' : 'a cookie'}`, () => {
      const given = { 'set-cookie': [`sid=; ${attributes}`], ...(date === null ? {} : { date }) };
      assert.equal(issuesOf('Set-Cookie', given).includes('cookie_session_without_secure'), !deleted);
    });
  }

  test('a deletion that browsers refuse is told', () => {
    assert.deepEqual(cookies('__Host-sid=; Max-Age=0'), ['cookie_prefix_violated']);
    assert.deepEqual(cookies('a=; Max-Age=0; SameSite=None'), ['cookie_samesite_none_without_secure']);
  });
});

// HTML standard, 4.2.5.1: what the page says takes the place of the header; what is no policy says nothing.
for (const [header, metaReferrer, issue] of [
  [null, 'no-referrer', []],
  [null, undefined, ['referrer_missing']],
  [null, 'nonsense', ['referrer_missing']],
  [null, '', ['referrer_missing']],
  [null, 'unsafe-url', ['referrer_unsafe']],
  [null, 'always', ['referrer_unsafe']],
  ['unsafe-url', 'Same-Origin', []],
  ['no-referrer', 'unsafe-url', ['referrer_unsafe']],
  ['no-referrer', 'nonsense', []],
] as const) {
  test(`Referrer-Policy ${header}, <meta name=referrer content=${metaReferrer}>`, () => {
    const given: RawHeaders = header === null ? {} : { 'referrer-policy': header };
    assert.deepEqual(issuesOf('Referrer-Policy', given, { metaReferrer }), issue);
  });
}

describe('a source that lets everybody in', () => {
  // CSP Level 3, 2.3.1: scheme, host, port and path of a host source.
  for (const [source, open] of [
    ['*', true],
    ['*:*', true],
    ['*:443', true],
    ['https://*:443', true],
    ['https://*:*', true],
    ['HTTPS://*', true],
    ['https://*/', true],
    ['https://*/js/', true],
    ['HTTPS:', true],
    ['data:', true],
    ['*.com', true],
    ['https://*.co.uk:443', true],
    ['*.github.io', false],
    ['*.example.com', false],
    ['https://example.com:*', false],
    ['https://example.com/*', false],
    ["'self'", false],
    ["'nonce-*'", false],
  ] as const) {
    test(`script-src ${source}: ${open ? 'open' : 'limited'}`, () => {
      const policy = `default-src 'none'; script-src ${source}; base-uri 'none'; form-action 'self'`;
      const codes = issuesOf('Content-Security-Policy', { 'content-security-policy': policy });
      assert.equal(codes.includes('csp_script_unrestricted_source'), open, codes.join());
      const framing = issuesOf('X-Frame-Options', { 'content-security-policy': `frame-ancestors ${source}` });
      assert.equal(framing.includes('framing_open'), open, framing.join());
    });
  }
});

test("'strict-dynamic' without a nonce or hash has an issue of its own", () => {
  const issues = (sources: string) =>
    issuesOf('Content-Security-Policy', { 'content-security-policy': `script-src ${sources}` });
  assert.ok(issues("'strict-dynamic' https:").includes('csp_strict_dynamic_alone'));
  assert.ok(!issues("'strict-dynamic' 'nonce-abcdefghijklmnopqrstuv'").includes('csp_strict_dynamic_alone'));
  assert.ok(!issues("'strict-dynamic' 'sha256-abc='").includes('csp_strict_dynamic_alone'));
});

test('CORS: who may read', () => {
  const cors = (origin: string, credentials?: string, foreignOrigin?: string): string[] =>
    issuesOf(
      'Access-Control-Allow-Origin',
      {
        'access-control-allow-origin': origin,
        ...(credentials === undefined ? {} : { 'access-control-allow-credentials': credentials }),
      },
      foreignOrigin === undefined ? {} : { foreignOrigin },
    );
  assert.deepEqual(cors('*'), ['cors_public']);
  assert.deepEqual(cors('*', 'true'), ['cors_wildcard_with_credentials']);
  assert.deepEqual(cors('null'), ['cors_null_origin']);
  assert.deepEqual(cors('null', 'true', 'null'), ['cors_null_origin_with_credentials']);
  assert.deepEqual(cors('https://evil.example', 'true', 'https://evil.example'), [
    'cors_reflects_origin_with_credentials',
  ]);
  assert.deepEqual(cors('https://evil.example', undefined, 'https://evil.example'), ['cors_reflects_origin']);
  assert.deepEqual(cors('https://app.example', 'true', 'https://evil.example'), []);
  assert.deepEqual(cors('https://a.example, https://b.example'), ['cors_invalid']);
});

test('what is told of software', () => {
  const told = (header: string, value: string): string[] => issuesOf(header, { [header]: value });
  assert.deepEqual(told('Server', 'nginx'), []);
  assert.deepEqual(told('Server', 'Apache/2.4.6 (CentOS)'), ['discloses_version']);
  assert.deepEqual(told('X-Powered-By', 'PHP/8.1.2'), ['discloses_version']);
  assert.deepEqual(told('X-Powered-By', 'Express'), ['discloses_software']);
  assert.deepEqual(told('X-XSS-Protection', '1; mode=block'), ['xss_protection_enabled']);
  assert.deepEqual(told('X-XSS-Protection', '0'), []);
  assert.deepEqual(told('Public-Key-Pins', 'pin-sha256="x"'), ['deprecated_header']);
});

describe('bad input', () => {
  test('values are cleaned, and cut at 500 characters unless asked for in full', () => {
    const value = `default-src 'self' \u202E${'x'.repeat(600)}`;
    const finding = (full: boolean) =>
      gradeHeaders({ 'Content-Security-Policy': value }, {}, full).findings.find(
        ({ header }) => header === 'Content-Security-Policy',
      )!;
    assert.equal(finding(false).total_value_length, value.length);
    assert.equal(finding(false).value!.length, 499, '500 less the character that turns text around');
    assert.ok(!('total_value_length' in finding(true)));
    assert.equal(finding(true).value!.length, value.length - 1);
  });

  test('names in any case, given twice', () => {
    assert.deepEqual(issuesOf('X-Frame-Options', { 'X-Frame-Options': 'DENY', 'x-frame-options': 'SAMEORIGIN' }), [
      'xfo_conflicting',
    ]);
    assert.equal(gradeHeaders(JSON.parse('{"__proto__": "x", "constructor": []}')).score, 0);
  });

  const huge: [string, string][] = [
    ['Content-Security-Policy', 'script-src *.a.com '.repeat(50_000)],
    ['Content-Security-Policy', ';'.repeat(1_000_000)],
    ['Content-Security-Policy', "script-src 'self',".repeat(50_000)],
    ['Strict-Transport-Security', `max-age=1;${' '.repeat(1_000_000)}`],
    ['Permissions-Policy', `a=(${'"'.repeat(1_000_000)}`],
    ['Permissions-Policy', 'a=(),'.repeat(200_000)],
    ['Set-Cookie', 'a,'.repeat(500_000)],
    ['Set-Cookie', `a=1${';'.repeat(1_000_000)}`],
    ['Set-Cookie', `,${' '.repeat(9)}${'a'.repeat(250)}`.repeat(4000)],
    ['Access-Control-Allow-Origin', 'a'.repeat(1_000_000)],
    ['Server', '1'.repeat(1_000_000)],
    ['Referrer-Policy', 'x,'.repeat(500_000)],
  ];
  for (const [header, value] of huge) {
    test(`a megabyte of ${header}: ${value.slice(0, 20)}`, { timeout: 10_000 }, () => {
      const report = gradeHeaders({ [header]: value });
      assert.ok(JSON.stringify(report).length < 20_000);
    });
  }
});

describe('what headers tell of the inside', () => {
  for (const [header, value, expected] of [
    ['x-backend-server', '10.12.0.37:8080', ['discloses_internal']],
    ['x-real-path', '/var/www/site/releases/41', ['discloses_internal']],
    ['location', 'http://192.168.1.4/login', ['discloses_internal']],
    ['x-upstream', 'https://203.0.113.4/', []],
    ['x-served-by', 'cache-fra-1234-FRA', []],
    ['x-version-note', '110.0.0.1.5', []],
    ['x-debug-token-link', 'https://a.example/_profiler/4f2a9c', ['discloses_debugging']],
  ] as const) {
    test(`${header}: ${value}`, () => assert.deepEqual(issuesOf(header, { [header]: value }), expected));
  }
});
