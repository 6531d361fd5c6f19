import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { temporaryFolder } from '../operations/fixture-catalog.ts';
import { IDS } from '../operations/fixture-facts.ts';
import { type Reply, type ServiceOptions, startService, type TestService, toReply } from '../support/service.ts';
import { assertError } from './error-shape.ts';

const GOOD = `/v1/cve/${IDS.log4shell}`;
const JSON_BODY = { 'content-type': 'application/json' };
const RATE = ['limit', 'remaining', 'reset', 'cost', 'tier'] as const;

/** `X-RateLimit-*` as numbers; `tier` as it is. */
function rateOf({ headers }: Reply): Record<(typeof RATE)[number], unknown> {
  const entries = RATE.map((name) => {
    const value = headers[`x-ratelimit-${name}`];
    return [name, name === 'tier' || value === undefined ? value : Number(value)];
  });
  return Object.fromEntries(entries);
}

async function from(service: TestService, remoteAddress: string, headers: Record<string, string> = {}): Promise<Reply> {
  const reply = await service.app.inject({ method: 'GET', url: GOOD, remoteAddress, headers });
  return toReply(reply.statusCode, reply.headers, reply.payload);
}

const limited = (t: { after: typeof after }, options: ServiceOptions = {}): Promise<TestService> =>
  startService(t, { quota: { keyless: 30, pro: 500 }, ...options });

describe('X-RateLimit-* stand on every answer of the API, with what it cost', async () => {
  const service = await limited({ after });
  const proHeaders = await service.proHeaders();
  const cases: [what: string, status: number, cost: number, send: () => Promise<Reply>][] = [
    ['an answer', 200, 1, () => service.get(GOOD)],
    ['HEAD', 200, 1, () => service.send('HEAD', GOOD)],
    ['a search', 200, 1, () => service.get('/v1/cves?limit=1')],
    ['a path written in another way', 200, 1, () => service.get('/%76%31/cves?limit=1')],
    ['the status', 200, 0, () => service.get('/v1/status')],
    ['what is stored about oneself', 200, 0, () => service.get('/v1/privacy/my-data')],
    ['a bulk call of two', 200, 2, () => service.post('/v1/cves/bulk', { cve_ids: [IDS.log4shell, IDS.heartbleed] })],
    ['a bulk call of nothing', 200, 0, () => service.post('/v1/cves/bulk', { cve_ids: [] })],
    ['something unknown', 404, 1, () => service.get(`/v1/cve/${IDS.unknown}`)],
    ['an identifier of the wrong form', 400, 0, () => service.get('/v1/cve/nonsense')],
    ['a CVSS v2 vector', 400, 0, () => service.get('/v1/cvss/details?vector=AV:N/AC:L/Au:N/C:P/I:P/A:P')],
    ['a path that cannot be decoded', 400, 0, () => service.get('/v1/cve/%')],
    ['a body that is not JSON', 400, 0, () => service.send('POST', '/v1/cves/bulk', '{', JSON_BODY)],
    ['a key that is none', 401, 0, () => service.get(GOOD, { authorization: 'Bearer x' })],
    ['no key where one is needed', 401, 0, () => service.get('/v1/usage')],
    ['an unknown path', 404, 0, () => service.get('/v1/nothing')],
    ['another method', 405, 0, () => service.send('DELETE', GOOD)],
    [
      'a body over 1 MiB',
      413,
      0,
      () => service.send('POST', '/v1/cves/bulk', `"${'x'.repeat(1024 * 1024)}"`, JSON_BODY),
    ],
    [
      'a body of another type',
      415,
      0,
      () => service.send('POST', '/v1/cves/bulk', 'x', { 'content-type': 'text/plain' }),
    ],
    ['a parameter out of range', 422, 0, () => service.get('/v1/cves?limit=0')],
    ['parameters that contradict each other', 422, 0, () => service.get('/v1/cves?cvss_min=9&cvss_max=1')],
    ['a body of the wrong shape', 422, 0, () => service.post('/v1/cves/bulk', { cve_ids: 1 })],
  ];

  for (const [what, status, cost, send] of cases) {
    test(`${what}: ${status}, cost ${cost}`, async () => {
      const before = Number(rateOf(await service.get('/v1/status')).remaining);
      const reply = await send();
      assert.equal(reply.status, status, reply.text);
      assert.ok(reply.headers['x-request-id']);
      assert.deepEqual(rateOf(reply), { limit: 30, remaining: before - cost, reset: 3600, cost, tier: 'keyless' });
      assert.equal(rateOf(await service.get('/v1/status')).remaining, before - cost);
    });
  }

  test('with a key they are those of the key', async () => {
    const reply = await service.get(GOOD, proHeaders);
    assert.deepEqual(rateOf(reply), { limit: 500, remaining: 499, reset: 3600, cost: 1, tier: 'pro' });
  });

  test('pages, health checks and preflights have none and cost nothing', async () => {
    const before = rateOf(await service.get('/v1/status')).remaining;
    const preflight = { origin: 'https://page.example', 'access-control-request-method': 'GET' };
    const replies = [
      await service.get('/healthz'),
      await service.get('/docs'),
      await service.get('/openapi.json', { authorization: 'Bearer x' }),
      await service.send('OPTIONS', GOOD, undefined, preflight),
    ];
    for (const reply of replies) {
      assert.ok(reply.status < 300);
      assert.ok(Object.keys(reply.headers).every((name) => !name.startsWith('x-ratelimit')));
    }
    assert.equal(rateOf(await service.get('/v1/status')).remaining, before);
  });

  test('a page of another origin may read them', async () => {
    const { headers } = await service.get(GOOD, { origin: 'https://page.example' });
    const exposed = String(headers['access-control-expose-headers']).toLowerCase();
    for (const name of [
      ...RATE.map((name) => `x-ratelimit-${name}`),
      'x-request-id',
      'retry-after',
      'ratelimit-reset',
    ]) {
      assert.ok(exposed.includes(name), name);
    }
  });
});

describe('the quota', () => {
  test('used up is 429 with the time to wait, and free again when the hour is over', async (t) => {
    const service = await limited(t);
    for (let count = 0; count < 30; count++) assert.equal((await service.get(GOOD)).status, 200);
    service.clock.now = new Date(service.clock.now.getTime() + 600_000);
    const reply = await service.get(GOOD);
    assertError(reply, { status: 429, code: 'rate_limit_exceeded' });
    assert.equal(reply.body.error.retry_after_seconds, 3000);
    assert.equal(reply.headers['retry-after'], '3000');
    assert.equal(reply.headers['ratelimit-reset'], '3000');
    assert.deepEqual(rateOf(reply), { limit: 30, remaining: 0, reset: 3000, cost: 0, tier: 'keyless' });
    assert.equal((await service.get('/v1/status')).status, 200);
    assert.equal((await service.get('/v1/cve/nonsense')).status, 400);
    service.clock.now = new Date(service.clock.now.getTime() + 3_000_000);
    assert.deepEqual(rateOf(await service.get(GOOD)), {
      limit: 30,
      remaining: 29,
      reset: 3600,
      cost: 1,
      tier: 'keyless',
    });
  });

  test('of 2,000 requests at once from one caller exactly the limit is served', async (t) => {
    const service = await limited(t);
    const replies = await Promise.all(Array.from({ length: 2000 }, () => service.get(GOOD)));
    const count = (status: number): number => replies.filter((reply) => reply.status === status).length;
    assert.deepEqual([count(200), count(429)], [30, 1970]);
  });

  test('of a key is one, wherever it is used, beside that of the address', async (t) => {
    const service = await limited(t, { quota: { keyless: 1, pro: 2 } });
    const headers = await service.proHeaders();
    assert.equal((await from(service, '203.0.113.1', headers)).status, 200);
    assert.equal((await from(service, '203.0.113.2', headers)).status, 200);
    assert.equal((await from(service, '203.0.113.1', headers)).status, 429);
    assert.equal((await from(service, '203.0.113.1')).status, 200);
    assert.equal((await from(service, '203.0.113.1', await service.proHeaders())).status, 200);
  });

  test('is one for a whole IPv6 /64, and for an IPv4 address in both forms', async (t) => {
    const service = await limited(t, { quota: { keyless: 2 } });
    const statuses = async (...addresses: string[]): Promise<number[]> => {
      const found: number[] = [];
      for (const address of addresses) found.push((await from(service, address)).status);
      return found;
    };
    assert.deepEqual(
      await statuses('2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:2::3', '2001:db8:1:3::1'),
      [200, 200, 429, 200],
    );
    assert.deepEqual(
      await statuses('203.0.113.1', '::ffff:203.0.113.1', '203.0.113.1', '203.0.113.2'),
      [200, 200, 429, 200],
    );
  });

  test('cannot be dodged with a forged X-Forwarded-For', async (t) => {
    const direct = await limited(t, { quota: { keyless: 1 } });
    assert.equal((await from(direct, '203.0.113.1', { 'x-forwarded-for': '198.51.100.1' })).status, 200);
    assert.equal((await from(direct, '203.0.113.1', { 'x-forwarded-for': '198.51.100.2' })).status, 429);
    const proxied = await limited(t, { quota: { keyless: 1 }, trustedProxies: ['10.0.0.0/8'] });
    assert.equal((await from(proxied, '10.0.0.1', { 'x-forwarded-for': '1.1.1.1, 198.51.100.1' })).status, 200);
    assert.equal((await from(proxied, '10.0.0.1', { 'x-forwarded-for': '2.2.2.2, 198.51.100.1' })).status, 429);
    assert.equal((await from(proxied, '10.0.0.2', { 'x-forwarded-for': '198.51.100.2' })).status, 200);
    assert.equal((await from(proxied, '203.0.113.1', { 'x-forwarded-for': '198.51.100.3' })).status, 200);
    assert.equal((await from(proxied, '203.0.113.1', { 'x-forwarded-for': '198.51.100.4' })).status, 429);
  });

  test('lives through a restart', async (t) => {
    const dataDir = temporaryFolder();
    const first = await startService({ after: () => {} }, { dataDir, quota: { keyless: 3 } });
    await first.get(GOOD);
    await first.get(GOOD);
    await first.app.close();
    await first.access.close();
    const second = await limited(t, { dataDir, quota: { keyless: 3 } });
    assert.equal(rateOf(await second.get(GOOD)).remaining, 0);
    assert.equal((await second.get(GOOD)).status, 429);
  });

  test('of 0 is none: there are no numbers of a limit', async (t) => {
    const service = await startService(t);
    for (let count = 0; count < 50; count++) {
      const reply = await service.get(GOOD);
      assert.deepEqual(rateOf(reply), {
        limit: undefined,
        remaining: undefined,
        reset: undefined,
        cost: 1,
        tier: 'keyless',
      });
    }
  });
});

describe('a bulk call over the quota', () => {
  const PATH = '/v1/cves/bulk';
  const ids = [IDS.log4shell, IDS.heartbleed, IDS.unknown, IDS.rejected];

  test('runs with the ids that fit, in order, and lists the others', async (t) => {
    const service = await limited(t, { quota: { keyless: 2 } });
    const { status, body, headers } = await service.post(PATH, { cve_ids: ids });
    assert.equal(status, 200);
    assert.deepEqual(
      body.results.map(({ cve_id }: { cve_id: string }) => cve_id),
      ids.slice(0, 2),
    );
    assert.deepEqual(body.skipped_due_to_rate_limit, ids.slice(2));
    assert.deepEqual([body.total, body.successful, body.failed], [2, 2, 0]);
    assert.equal(body.verdict.completeness, 'partial');
    assert.match(body.summary, /2 ids more skipped/);
    assert.equal(headers['x-ratelimit-cost'], '2');
    assertError(await service.post(PATH, { cve_ids: ids }), { status: 429, code: 'rate_limit_exceeded' });
    assert.equal((await service.post(PATH, { cve_ids: [] })).status, 200);
  });

  test('answers a duplicate at each place and charges it once', async (t) => {
    const service = await limited(t, { quota: { keyless: 1 } });
    const { body } = await service.post(PATH, {
      cve_ids: [IDS.log4shell, IDS.heartbleed, IDS.log4shell.toLowerCase()],
    });
    assert.deepEqual(
      body.results.map(({ cve_id }: { cve_id: string }) => cve_id),
      [IDS.log4shell, IDS.log4shell],
    );
    assert.deepEqual(body.skipped_due_to_rate_limit, [IDS.heartbleed]);
  });
});

describe('a key', () => {
  test('that is refused is 401 with the way to authenticate (RFC 9110, 15.5.2), at every place', async (t) => {
    const service = await limited(t);
    for (const [path, method] of [
      [GOOD, 'GET'],
      ['/v1/status', 'GET'],
      ['/v1/privacy/my-data', 'GET'],
      ['/v1/cve/nonsense', 'GET'],
      ['/v1/cves/bulk', 'POST'],
      ['/v1/nothing', 'GET'],
    ] as const) {
      const reply = await service.send(method, path, undefined, { 'x-api-key': `sxt_${'0'.repeat(48)}` });
      assertError(reply, { status: 401, code: 'invalid_api_key' });
      assert.match(String(reply.headers['www-authenticate']), /^Bearer/);
    }
  });

  test('that has expired says so', async (t) => {
    const service = await limited(t);
    const headers = await service.proHeaders();
    assert.equal((await service.get(GOOD, headers)).status, 200);
    service.clock.now = new Date(service.clock.now.getTime() + 30 * 86_400_000);
    assertError(await service.get(GOOD, headers), { status: 401, code: 'expired_api_key' });
  });

  test('is in no log line, good or bad', async (t) => {
    const service = await limited(t);
    const headers = await service.proHeaders();
    await service.get(GOOD, headers);
    await service.get(GOOD, { 'x-api-key': 'sxt_secret-of-somebody' });
    const log = service.logLines().join('\n');
    assert.ok(!log.includes(headers['authorization']!.slice('Bearer '.length)) && !log.includes('secret-of-somebody'));
  });
});
