import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ERRORS, type ErrorCode } from '../../src/errors.ts';
import { IDS } from '../operations/fixture-facts.ts';
import { type Reply, startService, type TestService } from '../support/service.ts';
import { assertError } from './error-shape.ts';

/** decisions, section 2: every code and its status. */
const DECIDED: Record<string, number> = {
  invalid_argument: 400,
  invalid_api_key: 401,
  expired_api_key: 401,
  invalid_access_token: 401,
  api_key_required: 401,
  insufficient_scope: 403,
  robots_txt_disallow: 403,
  origin_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  body_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  host_not_allowed: 421,
  validation_error: 422,
  rate_limit_exceeded: 429,
  target_throttled: 429,
  internal_error: 500,
  upstream_error: 502,
  not_ready: 503,
  upstream_timeout: 504,
};

/** How each code is met by a caller of this service as it is. */
const REACHED: Partial<Record<ErrorCode, (service: TestService) => Promise<Reply>>> = {
  invalid_argument: ({ get }) => get('/v1/cve/nonsense'),
  not_found: ({ get }) => get(`/v1/cve/${IDS.unknown}`),
  method_not_allowed: ({ send }) => send('DELETE', '/v1/cves'),
  body_too_large: ({ post }) => post('/v1/cves/bulk', { cve_ids: ['x'.repeat(1024 * 1024)] }),
  unsupported_media_type: ({ send }) => send('POST', '/v1/cves/bulk', 'x', { 'content-type': 'text/plain' }),
  expectation_failed: ({ get }) => get('/v1/status', { expect: '200-ok' }),
  validation_error: ({ get }) => get('/v1/cves?limit=0'),
  internal_error: async ({ get, breakCatalog }) => {
    breakCatalog();
    return get(`/v1/kev/${IDS.log4shell}`);
  },
};

/** Codes that no operation here can lead to yet, and the part that brings them. */
const TO_COME: Partial<Record<ErrorCode, string>> = {
  invalid_api_key: 'keys and quota',
  expired_api_key: 'keys and quota',
  api_key_required: 'keys and quota (/v1/usage)',
  invalid_access_token: 'access/oauth/tokens.test.ts',
  insufficient_scope: 'access/oauth/tokens.test.ts',
  rate_limit_exceeded: 'keys and quota',
  robots_txt_disallow: 'web-page audits',
  target_throttled: 'web-page audits',
  upstream_error: 'domain and web endpoints',
  upstream_timeout: 'domain and web endpoints',
  origin_not_allowed: 'pages.test.ts',
  host_not_allowed: 'pages.test.ts',
};

test('the registry holds the decided codes with their statuses', () => {
  assert.deepEqual(Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]) => [code, status])), DECIDED);
});

test('every code is reached by a test, or waits for a part to come', () => {
  const accounted = [...Object.keys(REACHED), 'not_ready', ...Object.keys(TO_COME)];
  assert.deepEqual(accounted.toSorted(), Object.keys(ERRORS).toSorted());
});

test('every code is documented at the address that errors give', async (t) => {
  const { get } = await startService(t);
  const { status, text } = await get('/docs/errors');
  assert.equal(status, 200);
  for (const [code, error] of Object.entries(ERRORS)) {
    assert.ok(text.includes(`id="${code}"`), code);
    assert.ok(text.includes(`<td>${error.status}</td>`));
  }
});

for (const [code, reach] of Object.entries(REACHED)) {
  test(`${code} is answered in the one shape`, async (t) => {
    assertError(await reach(await startService(t)), { code: code as ErrorCode });
  });
}

describe('not_ready', () => {
  test('without a catalog every operation that reads it is 503, and health says so', async (t) => {
    const { get, post } = await startService(t, { catalog: 'none' });
    for (const path of [`/v1/cve/${IDS.log4shell}`, '/v1/cves', '/v1/cwe/79', `/v1/exploit/${IDS.log4shell}`]) {
      assertError(await get(path), { status: 503, code: 'not_ready' });
    }
    assertError(await post('/v1/cves/bulk', { cve_ids: [IDS.log4shell] }), { status: 503 });
    assert.equal((await get('/readyz')).status, 503);
    assert.equal((await get('/healthz')).status, 200);
    assert.equal((await get('/openapi.json')).status, 200);
  });

  test('wrong input is refused before that', async (t) => {
    const { get } = await startService(t, { catalog: 'none' });
    assertError(await get('/v1/cve/nonsense'), { status: 400 });
  });
});

describe('health', () => {
  test('a running service is ready, a stopping one is not, and both live', async (t) => {
    const { get, stop } = await startService(t);
    assert.deepEqual([(await get('/readyz')).status, (await get('/healthz')).status], [200, 200]);
    stop();
    const { status, body } = await get('/readyz');
    assert.deepEqual([status, body], [503, { status: 'stopping' }]);
    assert.equal((await get('/healthz')).status, 200);
  });
});
