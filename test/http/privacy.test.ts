import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IDS } from '../operations/fixture-facts.ts';
import { type Reply, startService, type TestService, toReply } from '../support/service.ts';
import { assertError } from './error-shape.ts';

const CVE = `/v1/cve/${IDS.log4shell}`;
const MY_DATA = '/v1/privacy/my-data';

/** Asks as somebody at an address. */
async function as(
  service: TestService,
  remoteAddress: string,
  url: string,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const reply = await service.app.inject({ method: 'GET', url, remoteAddress, headers });
  return toReply(reply.statusCode, reply.headers, reply.payload);
}

describe('/v1/privacy/my-data', () => {
  test('tells a keyless caller all that is stored of them', async (t) => {
    const service = await startService(t, { quota: { keyless: 30, pro: 500 } });
    await as(service, '203.0.113.1', CVE);
    await as(service, '203.0.113.1', `/v1/cve/${IDS.unknown}`);
    await as(service, '203.0.113.1', '/v1/cves?product=log4j');
    await as(service, '203.0.113.2', CVE);
    const { status, body } = await as(service, '203.0.113.1', MY_DATA);
    assert.equal(status, 200);
    assert.equal(body.tier, 'keyless');
    assert.deepEqual(body.rate_limit, { limit: 30, remaining: 27, reset_seconds: 3600 });
    assert.match(body.client_ip_hash, /^[0-9a-f]{64}$/);
    assert.equal(body.api_key_record, null);
    assert.deepEqual(body.usage_last_24h, {
      total_requests: 3,
      by_endpoint: { 'GET /v1/cve/{cve_id}': 2, 'GET /v1/cves': 1 },
    });
    assert.ok(body.not_stored.length > 0 && body.source_code.length > 0);
    assert.equal((await service.get(body.privacy_policy)).status, 200);
  });

  test('tells the holder of a key of it and of the address', async (t) => {
    const service = await startService(t, { quota: { keyless: 30, pro: 500 } });
    const headers = await service.proHeaders();
    const start = service.clock.now;
    await as(service, '203.0.113.1', CVE);
    await as(service, '203.0.113.1', CVE, headers);
    await as(service, '198.51.100.1', '/v1/cves', headers);
    await as(service, '203.0.113.1', MY_DATA, headers);
    const { body } = await as(service, '203.0.113.1', MY_DATA, headers);
    assert.equal(body.tier, 'pro');
    assert.equal(body.rate_limit.limit, 500);
    const { id, ...record } = body.api_key_record;
    assert.equal(typeof id, 'string');
    assert.deepEqual(record, {
      order_id: 'test',
      created_at: start.toISOString(),
      expires_at: new Date(start.getTime() + 30 * 86_400_000).toISOString(),
      last_used_at: start.toISOString(),
    });
    assert.deepEqual(body.usage_last_24h.by_endpoint, {
      'GET /v1/cve/{cve_id}': 2,
      'GET /v1/cves': 1,
      [`GET ${MY_DATA}`]: 1,
    });
    assert.ok(!JSON.stringify(body).includes(headers['authorization']!.slice(-20)));
  });

  test('holds nothing of the past day but one, nothing of others', async (t) => {
    const service = await startService(t);
    await as(service, '203.0.113.1', CVE);
    service.clock.now = new Date(service.clock.now.getTime() + 86_400_000 + 60_000);
    assert.equal((await as(service, '203.0.113.1', MY_DATA)).body.usage_last_24h.total_requests, 0);
    assert.equal((await as(service, '203.0.113.9', MY_DATA)).body.usage_last_24h.total_requests, 0);
  });

  for (const [what, headers] of [
    ['DNT', { dnt: '1' }],
    ['Sec-GPC', { 'sec-gpc': '1' }],
  ] as const) {
    test(`of requests with ${what} there is no row; they work all the same`, async (t) => {
      const service = await startService(t);
      assert.equal((await as(service, '203.0.113.1', CVE, headers)).status, 200);
      assert.equal(
        (await as(service, '203.0.113.1', CVE, { ...headers, ...(await service.proHeaders()) })).status,
        200,
      );
      assert.equal((await as(service, '203.0.113.1', MY_DATA, headers)).body.usage_last_24h.total_requests, 0);
      await as(service, '203.0.113.1', CVE, { dnt: '0', 'sec-gpc': '0' });
      assert.equal((await as(service, '203.0.113.1', MY_DATA, headers)).body.usage_last_24h.total_requests, 1);
    });
  }
});

describe('/v1/usage', () => {
  test('needs a key', async (t) => {
    const service = await startService(t);
    assertError(await service.get('/v1/usage'), { status: 401, code: 'api_key_required' });
  });

  test('counts the requests of the key that asks, and of no other', async (t) => {
    const service = await startService(t, { quota: { keyless: 30, pro: 500 } });
    const [mine, others] = [await service.proHeaders(), await service.proHeaders()];
    const long = service.clock.now.getTime();
    for (let count = 0; count < 3; count++) await service.get(CVE, mine);
    service.clock.now = new Date(long + 7_200_000);
    await service.get('/v1/cves?limit=1', mine);
    await service.get('/v1/status', mine);
    await service.get('/v1/status', mine);
    await service.get(CVE, others);
    await service.get(CVE);
    const { body } = await service.get('/v1/usage', mine);
    assert.deepEqual([body.total_requests, body.last_24h, body.last_1h], [6, 6, 3]);
    assert.deepEqual([body.hourly_limit, body.hourly_remaining, body.hourly_reset_seconds], [500, 498, 3600]);
    assert.deepEqual(body.top_endpoints, [
      { endpoint: 'GET /v1/cve/{cve_id}', count: 3 },
      { endpoint: 'GET /v1/status', count: 2 },
      { endpoint: 'GET /v1/cves', count: 1 },
    ]);
  });

  test('cannot be asked for somebody else', async (t) => {
    const service = await startService(t);
    const headers = await service.proHeaders();
    for (const query of ['key=other', 'id=1', 'order_id=x', 'tier=pro']) {
      assertError(await service.get(`/v1/usage?${query}`, headers), { status: 422, code: 'validation_error' });
      assertError(await service.get(`${MY_DATA}?${query}`, headers), { status: 422, code: 'validation_error' });
    }
  });

  test('without a limit the numbers of the limit are null', async (t) => {
    const service = await startService(t);
    const { body } = await service.get('/v1/usage', await service.proHeaders());
    assert.deepEqual([body.hourly_limit, body.hourly_remaining, body.hourly_reset_seconds], [null, null, null]);
  });
});
