import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startService } from '../support/service.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const service = await startService({ after });
const idOf = async (given: string | undefined, path = '/v1/status') =>
  (await service.get(path, given === undefined ? {} : { 'x-request-id': given })).headers['x-request-id'];

describe('X-Request-ID', () => {
  for (const sane of ['a', 'req-1', '7f3c9a:12.b_C', 'x'.repeat(64), '8c1f2a4e-0b0e-4a8e-9a43-0d7a5f7a3a11']) {
    test(`"${sane.slice(0, 20)}" is the caller's own and comes back`, async () => assert.equal(await idOf(sane), sane));
  }

  for (const [what, insane] of [
    ['nothing', undefined],
    ['an empty one', ''],
    ['65 characters', 'x'.repeat(65)],
    ['10 kB', 'x'.repeat(10_000)],
    ['a blank', 'a b'],
    ['markup', '<script>'],
    ['a quote', '"'],
    ['a list of two', 'a, b'],
    ['another alphabet', '\u00e4\u00f6'],
  ] as const) {
    test(`${what} is replaced by a new one`, async () => {
      assert.match(String(await idOf(insane)), UUID);
    });
  }

  test('two requests have two', async () => assert.notEqual(await idOf(undefined), await idOf(undefined)));

  for (const [path, method] of [
    ['/v1/cve/CVE-2021-44228', 'GET'],
    ['/v1/cve/nonsense', 'GET'],
    ['/v1/cve/CVE-2024-99999', 'GET'],
    ['/v1/cves?limit=0', 'GET'],
    ['/v1/nothing', 'GET'],
    ['/v1/cve/%', 'GET'],
    ['/v1/cves', 'DELETE'],
    ['/v1/cves/bulk', 'POST'],
    ['/v1/cve/CVE-2021-44228', 'HEAD'],
  ] as const) {
    test(`comes with every answer: ${method} ${path}`, async () => {
      const { headers } = await service.send(method, path, undefined, { 'x-request-id': 'mine-1' });
      assert.equal(headers['x-request-id'], 'mine-1');
    });
  }

  test('comes with pages and health checks', async () => {
    const paths = ['/', '/docs', '/docs/errors', '/docs/cve_lookup', '/openapi.json', '/healthz', '/readyz'];
    const missing: string[] = [];
    for (const path of paths) if ((await idOf('mine-3', path)) !== 'mine-3') missing.push(path);
    assert.deepEqual(missing, []);
  });

  test('comes with the answer to a CORS preflight', async () => {
    const { status, headers } = await service.send('OPTIONS', '/v1/cves', undefined, {
      origin: 'https://page.example',
      'access-control-request-method': 'GET',
      'x-request-id': 'mine-2',
    });
    assert.deepEqual([status, headers['x-request-id']], [204, 'mine-2']);
  });

  test('stands in the body of an error and in its log line', async () => {
    const { body } = await service.get('/v1/cve/nonsense', { 'x-request-id': 'find-me' });
    assert.equal(body.request_id, 'find-me');
    assert.equal(service.logLines().filter((line) => line.includes('"find-me"')).length, 1);
  });
});
