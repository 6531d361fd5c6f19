import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IDS } from '../operations/fixture-facts.ts';
import { type Reply, startService, type TestService, toReply } from '../support/service.ts';
import { assertError } from './error-shape.ts';

/** Requests that cost nobody a token are work all the same: of one address so many are refused in a minute, then no more is read. */

const GOOD = `/v1/cve/${IDS.log4shell}`;
const KEY = { 'x-api-key': `sxt_${'0'.repeat(48)}` };

async function from(service: TestService, address: string, path = GOOD): Promise<Reply> {
  const reply = await service.app.inject({ method: 'GET', url: path, remoteAddress: address });
  return toReply(reply.statusCode, reply.headers, reply.payload);
}

const REFUSED: Record<string, (service: TestService) => Promise<Reply>> = {
  'an identifier of the wrong form': ({ get }) => get('/v1/cve/nonsense'),
  'a path that cannot be read': ({ get }) => get('/v1/cve/%'),
  'a parameter out of range': ({ get }) => get('/v1/cves?limit=0'),
  'a key that is none': ({ get }) => get(GOOD, KEY),
  'an unknown path': ({ get }) => get('/v1/nothing'),
  'another method': ({ send }) => send('DELETE', GOOD),
  'a body that is not JSON': ({ send }) => send('POST', '/v1/cves/bulk', '{', { 'content-type': 'application/json' }),
  'a body of another type': ({ send }) => send('POST', '/v1/cves/bulk', 'x', { 'content-type': 'text/plain' }),
  'a message that is not JSON': ({ send }) => send('POST', '/mcp', '{', { 'content-type': 'application/json' }),
  'a tool with the wrong input': ({ post }) =>
    post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'cve_lookup', arguments: {} } }),
};

for (const [what, refused] of Object.entries(REFUSED)) {
  test(`${what}: after so many 429 for a minute, and then again`, async (t) => {
    const service = await startService(t, { refusedPerMinute: 5 });
    const before = await refused(service);
    assert.ok(before.status >= 400 || before.body.result.isError);
    for (let count = 1; count < 5; count++) assert.equal((await refused(service)).status, before.status);
    service.clock.now = new Date(service.clock.now.getTime() + 20_000);
    for (const reply of [await service.get(GOOD), await service.get('/v1/cve/nonsense')]) {
      assertError(reply, { status: 429, code: 'rate_limit_exceeded' });
      assert.equal(reply.headers['retry-after'], '40');
      assert.equal(reply.headers['ratelimit-reset'], '40');
      assert.match(reply.body.error.message, /5 requests of this address were refused/);
    }
    const mcp = await service.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' });
    assert.deepEqual([mcp.status, mcp.body.error.code, mcp.headers['retry-after']], [429, -32_000, '40']);
    service.clock.now = new Date(service.clock.now.getTime() + 40_000);
    assert.equal((await service.get(GOOD)).status, 200);
  });
}

describe('what is not counted', () => {
  test('answers, what is not known, and what the service failed at', async (t) => {
    const service = await startService(t, { refusedPerMinute: 3, quota: { keyless: 100 } });
    for (let count = 0; count < 10; count++) {
      assert.equal((await service.get(GOOD)).status, 200);
      assert.equal((await service.get(`/v1/cve/${IDS.unknown}`)).status, 404);
      assert.equal((await service.get('/nothing.html')).status, 404);
    }
    const empty = await startService(t, { refusedPerMinute: 3, catalog: 'none' });
    for (let count = 0; count < 10; count++) assert.equal((await empty.get(GOOD)).status, 503);
  });

  test('the requests of other addresses', async (t) => {
    const service = await startService(t, { refusedPerMinute: 3 });
    for (let count = 0; count < 3; count++) await from(service, '203.0.113.1', '/v1/cve/nonsense');
    assert.equal((await from(service, '203.0.113.1')).status, 429);
    assert.equal((await from(service, '203.0.113.2')).status, 200);
    assert.equal((await from(service, '2001:db8::1', '/v1/cve/nonsense')).status, 400);
  });

  test('the person at this machine, of an installation for one person', async (t) => {
    const service = await startService(t, { refusedPerMinute: 3, localUnlimited: true });
    for (let count = 0; count < 10; count++) assert.equal((await service.get('/v1/cve/nonsense')).status, 400);
  });
});

test('health and the description of the API are answered all the while, pages are not', async (t) => {
  const service = await startService(t, { refusedPerMinute: 1 });
  await service.get('/v1/cve/nonsense');
  assert.equal((await service.get(GOOD)).status, 429);
  for (const path of ['/healthz', '/readyz', '/openapi.json']) assert.equal((await service.get(path)).status, 200);
  assert.equal((await service.get('/docs', { accept: 'text/html' })).status, 429);
});

test('a clock that is set back keeps nobody out', async (t) => {
  const service = await startService(t, { refusedPerMinute: 1 });
  await service.get('/v1/cve/nonsense');
  service.clock.now = new Date(service.clock.now.getTime() - 3_600_000);
  assert.equal((await service.get(GOOD)).status, 200);
});
