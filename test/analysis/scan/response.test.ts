import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ModuleResult } from '../../../src/analysis/scan/modules.ts';
import { corsModule, assessResponse } from '../../../src/analysis/scan/response-modules.ts';

const ids = (result: ModuleResult | null): string[] => result?.findings.map(({ id }) => id) ?? ['null'];
const judged = (headers: Record<string, string[]>, metaCsp: string[] = []) =>
  assessResponse({ headers, https: true, metaCsp });

describe('what the header grader says goes to the module that it concerns', () => {
  const modules = judged({
    server: ['Apache/2.4.29'],
    'set-cookie': ['sid=1; Path=/'],
    'content-security-policy': [
      "script-src 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'self'; style-src 'self'",
    ],
    'strict-transport-security': ['max-age=60'],
  });

  test('and to no other', () => {
    assert.deepEqual(ids(modules.hsts), ['hsts_short_max_age']);
    assert.deepEqual(ids(modules.disclosure), ['discloses_version']);
    assert.deepEqual(ids(modules.csp_analysis), ['csp_script_unsafe_inline']);
    assert.deepEqual(ids(modules.headers).toSorted(), [
      'framing_missing',
      'nosniff_missing',
      'permissions_missing',
      'referrer_missing',
    ]);
    assert.ok(ids(modules.cookies).includes('cookie_session_without_secure'));
    assert.ok(ids(modules.cookies).every((id) => id.startsWith('cookie_')));
  });

  test('with what it is about', () => {
    const [csp] = modules.csp_analysis.findings;
    assert.deepEqual([csp?.title, csp?.evidence], ['Content-Security-Policy: script unsafe inline', "'unsafe-inline'"]);
    assert.equal(modules.disclosure.findings[0]?.evidence, 'Apache/2.4.29');
    assert.equal(modules.cookies.findings[0]?.evidence, 'sid');
  });

  test('a policy in the page counts', () => {
    const page = judged({}, ["default-src 'none'; base-uri 'none'; form-action 'none'"]).csp_analysis;
    assert.deepEqual(ids(page), []);
    assert.equal(page.details[0], 'Policies in force: 0 by header, 1 by <meta>.');
  });
});

describe('CORS, by what is said to an origin that nobody knows, and to null', () => {
  const FOREIGN = 'https://foreign.example';
  const allow = (origin: string, credentials = false) => ({
    'access-control-allow-origin': [origin],
    ...(credentials ? { 'access-control-allow-credentials': ['true'] } : {}),
  });
  const cors = (foreign: Record<string, string[]> | null, nullOrigin: Record<string, string[]> | null) =>
    corsModule({ foreignOrigin: FOREIGN, foreign, nullOrigin });

  for (const [what, foreign, nullOrigin, expected] of [
    ['nobody', {}, {}, []],
    ['everybody, without credentials', allow('*'), allow('*'), []],
    ['whoever asks', allow(FOREIGN), allow('null'), ['cors_reflects_origin']],
    [
      'whoever asks, with credentials',
      allow(FOREIGN, true),
      allow('null', true),
      ['cors_reflects_origin_with_credentials'],
    ],
    ['null alone, with credentials', {}, allow('null', true), ['cors_null_origin_with_credentials']],
    ['one other site', allow('https://app.example'), allow('https://app.example'), []],
    ['a list, which browsers do not read', allow(`${FOREIGN} https://b.example`), {}, ['cors_invalid']],
  ] as const) {
    test(what, () =>
      assert.deepEqual(
        ids(cors(foreign as Record<string, string[]>, nullOrigin as Record<string, string[]>)),
        expected,
      ),
    );
  }

  test('one answer is enough, none is not', () => {
    assert.deepEqual(ids(cors(null, allow('null'))), ['cors_null_origin']);
    assert.equal(cors(null, null), null);
  });
});
