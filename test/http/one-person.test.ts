import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, test } from 'node:test';
import { type ServeProcess, startServe } from '../support/serve-process.ts';

/** The service as a person starts it on their own machine, asked from there (docs/decisions/008 and 009). */

const GOOD = '/v1/cve/CVE-2021-44228';

async function ask(
  { port }: ServeProcess,
  path: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const asked = request({ host: '127.0.0.1', port, path, headers: { host: `localhost:${port}`, ...headers } }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response;
}

const started = async (
  t: { after(end: () => Promise<unknown>): void },
  settings: Record<string, string> = {},
  words: string[] = [],
): Promise<ServeProcess> => {
  const service = await startServe(settings, words);
  t.after(() => service.stop());
  return service;
};

describe('without settings', () => {
  for (const [how, words] of [
    ['one process', []],
    ['two workers', ['--workers', '2']],
  ] as const) {
    test(`${how}: the person has no limit, and who comes through a proxy has one`, async (t) => {
      const service = await started(t, {}, [...words]);
      for (let count = 0; count < 60; count++) assert.equal((await ask(service, GOOD)).statusCode, 200);
      const { headers } = await ask(service, GOOD);
      assert.deepEqual(
        [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining'], headers['x-ratelimit-reset']],
        [undefined, undefined, undefined],
      );
      const proxied = await ask(service, GOOD, { 'x-forwarded-for': '203.0.113.1' });
      assert.equal(proxied.headers['x-ratelimit-limit'], '30');
    });
  }

  test('a page that the person visits reads nothing', async (t) => {
    const service = await started(t);
    assert.equal((await ask(service, GOOD, { host: `evil.example:${service.port}` })).statusCode, 421);
    const page = await ask(service, GOOD, { origin: 'https://evil.example' });
    assert.deepEqual([page.statusCode, page.headers['access-control-allow-origin']], [403, undefined]);
    assert.equal((await ask(service, '/docs')).statusCode, 200);
  });
});

test('with SEXTANT_QUOTA_KEYLESS the person has that quota, also where it is the usual one', async (t) => {
  const service = await started(t, { SEXTANT_QUOTA_KEYLESS: '30' });
  for (let count = 0; count < 30; count++) assert.equal((await ask(service, GOOD)).statusCode, 200);
  assert.equal((await ask(service, GOOD)).statusCode, 429);
});

test('hosts and origins that are listed are answered', async (t) => {
  const service = await started(t, {
    SEXTANT_ALLOWED_HOSTS: 'sextant.example',
    SEXTANT_ALLOWED_ORIGINS: 'https://app.example',
  });
  assert.equal((await ask(service, GOOD, { host: 'sextant.example' })).statusCode, 200);
  const { statusCode, headers } = await ask(service, GOOD, { origin: 'https://app.example' });
  assert.deepEqual([statusCode, headers['access-control-allow-origin']], [200, 'https://app.example']);
});

test('over 600 refused requests in a minute an address waits', async (t) => {
  const service = await started(t, { SEXTANT_QUOTA_KEYLESS: '30' });
  const refused = await Promise.all(Array.from({ length: 600 }, () => ask(service, '/v1/cve/x')));
  assert.ok(refused.every(({ statusCode }) => statusCode === 400));
  const { statusCode, headers } = await ask(service, '/v1/cve/x');
  assert.equal(statusCode, 429);
  assert.ok(Number(headers['retry-after']) >= 1 && Number(headers['retry-after']) <= 60);
});
