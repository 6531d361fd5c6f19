import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { OPERATIONS } from '../../src/operations/list.ts';
import { IDS } from '../operations/fixture-facts.ts';
import { startService, type TestService } from '../support/service.ts';
import { assertError } from './error-shape.ts';

/** Requests that a browser sends because of a page that a person visits (docs/decisions/009-requests-from-pages.md). */

const GOOD = `/v1/cve/${IDS.log4shell}`;
const MISDIRECTED = { status: 421, code: 'host_not_allowed' } as const;
const KEPT_OUT = { status: 403, code: 'origin_not_allowed' } as const;
const NAVIGATION = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const IMAGE = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };

const loopback = await startService({ after }, { origins: { host: '127.0.0.1' } });

describe('a service that listens on loopback', () => {
  test('is asked by its addresses and by localhost', async () => {
    for (const host of [
      'localhost',
      'LOCALHOST:8080',
      '127.0.0.1:8080',
      '127.9.9.9',
      '[::1]:8080',
      '[::ffff:127.0.0.1]',
    ]) {
      assert.equal((await loopback.get(GOOD, { host })).status, 200, host);
    }
  });

  test('is no other host, by which a page could lead to it (DNS rebinding)', async () => {
    for (const host of [
      'evil.example',
      'evil.example:8080',
      'localhost.evil.example',
      'localhost@evil.example',
      '127.0.0.1.evil.example',
      'evil.example/127.0.0.1',
      '192.0.2.1',
      '169.254.169.254',
      '[2001:db8::1]:8080',
      'a b',
      'localhost:99999',
    ]) {
      for (const path of [GOOD, '/v1/status', '/v1/nothing', '/openapi.json', '/healthz']) {
        assertError(await loopback.get(path, { host }), MISDIRECTED);
      }
      for (const page of ['/docs', '/']) assert.equal((await loopback.get(page, { host })).status, 421);
      assertError(await loopback.post('/v1/cves/bulk', { cve_ids: [] }, { host }), MISDIRECTED);
    }
  });

  test('answers pages of its own origin, whichever of its names they have', async () => {
    for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080']) {
      const headers = { host, origin: `http://${host}` };
      assert.equal((await loopback.get(GOOD, headers)).status, 200);
      assert.equal((await loopback.post('/v1/cves/bulk', { cve_ids: [] }, headers)).status, 200);
    }
    const own = { host: 'localhost', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' };
    assert.equal((await loopback.get(GOOD, own)).status, 200);
  });

  test('refuses pages of other origins before any work, and lets them read nothing', async () => {
    for (const origin of [
      'https://evil.example',
      'http://localhost:3000',
      'http://127.0.0.1:8081',
      'http://localhost.evil.example:8080',
      'http://evil.example@localhost:8080',
      'null',
      'file://',
      'nonsense',
      '',
    ]) {
      const headers = { host: 'localhost:8080', origin };
      for (const reply of [
        await loopback.get(GOOD, headers),
        await loopback.get('/v1/status', headers),
        await loopback.get('/v1/nothing', headers),
        await loopback.post('/v1/cves/bulk', { cve_ids: [IDS.log4shell] }, headers),
        await loopback.send('OPTIONS', GOOD, undefined, { ...headers, 'access-control-request-method': 'POST' }),
      ]) {
        assertError(reply, KEPT_OUT);
        assert.equal(reply.headers['access-control-allow-origin'], undefined, origin);
      }
    }
  });

  test('refuses what an image or a script of another site asks for, which carries no Origin', async () => {
    for (const site of ['cross-site', 'same-site']) {
      for (const mode of ['no-cors', 'cors', 'websocket']) {
        const reply = await loopback.get(GOOD, { host: 'localhost', 'sec-fetch-site': site, 'sec-fetch-mode': mode });
        assertError(reply, KEPT_OUT);
      }
    }
  });

  test('answers what a person follows or types, of which no page reads the answer', async () => {
    assert.equal((await loopback.get(GOOD, { host: 'localhost', ...NAVIGATION })).status, 200);
    assert.equal((await loopback.get('/docs', { host: 'localhost', ...NAVIGATION })).status, 200);
    assert.equal((await loopback.get(GOOD, { host: 'localhost', 'sec-fetch-site': 'none' })).status, 200);
  });

  test('takes no token of a request that it refuses so', async (t) => {
    const limited = await startService(t, { origins: { host: '::1' }, quota: { keyless: 2 } });
    for (let count = 0; count < 5; count++)
      assertError(await limited.get(GOOD, { origin: 'https://evil.example' }), KEPT_OUT);
    const { headers } = await limited.get(GOOD, { host: 'localhost' });
    assert.equal(headers['x-ratelimit-remaining'], '1');
  });
});

describe('names and origins that are listed', () => {
  const listed = { host: '127.0.0.1', allowedHosts: ['sextant.example'], allowedOrigins: ['https://app.example'] };

  test('may be used on loopback', async (t) => {
    const service = await startService(t, { origins: listed });
    assert.equal((await service.get(GOOD, { host: 'sextant.example:8443' })).status, 200);
    assert.equal((await service.get(GOOD, { host: 'app.example' })).status, 200);
    assertError(await service.get(GOOD, { host: 'other.example' }), MISDIRECTED);
    const { status, headers } = await service.get(GOOD, { host: 'localhost', origin: 'https://app.example' });
    assert.deepEqual([status, headers['access-control-allow-origin']], [200, 'https://app.example']);
    assert.match(String(headers['vary']), /origin/i);
    assertError(await service.get(GOOD, { host: 'localhost', origin: 'http://app.example' }), KEPT_OUT);
    const preflight = { host: 'localhost', origin: 'https://app.example', 'access-control-request-method': 'POST' };
    const allowed = await service.send('OPTIONS', GOOD, undefined, preflight);
    assert.deepEqual([allowed.status, allowed.headers['access-control-allow-origin']], [204, 'https://app.example']);
  });

  test('are all that there is elsewhere, once there are any', async (t) => {
    const service = await startService(t, { origins: { ...listed, host: '0.0.0.0' } });
    assertError(await service.get(GOOD, { host: 'other.example' }), MISDIRECTED);
    assertError(await service.get(GOOD, { host: 'sextant.example', origin: 'https://evil.example' }), KEPT_OUT);
    assert.equal((await service.get(GOOD, { host: 'sextant.example', origin: 'https://sextant.example' })).status, 200);
    assert.equal((await service.get('/readyz', { host: '10.0.0.7:8080' })).status, 200, 'as a load balancer asks');
  });
});

describe('a service for all', () => {
  test('answers every host, and pages of every origin', async (t) => {
    const service = await startService(t, { origins: { host: '0.0.0.0' } });
    for (const headers of [{ host: 'sextant.example' }, { origin: 'https://page.example' }, { ...IMAGE }]) {
      const reply = await service.get(GOOD, headers as Record<string, string>);
      assert.deepEqual([reply.status, reply.headers['access-control-allow-origin']], [200, '*']);
    }
  });
});

describe('where private targets may be asked', () => {
  const inside = (t: { after: typeof after }): Promise<TestService> =>
    startService(t, { origins: { host: '0.0.0.0', allowsPrivateTargets: true, allowedHosts: ['sextant.corp'] } });

  test('a page reaches none of them through the service', async (t) => {
    const service = await inside(t);
    for (const headers of [
      { host: 'evil.example:8080' },
      { host: 'sextant.corp', origin: 'https://evil.example' },
      { host: 'evil.example', origin: 'http://evil.example' },
      { host: 'sextant.corp', ...IMAGE },
      { host: 'sextant.corp', ...NAVIGATION },
    ]) {
      const reply = await service.get(GOOD, headers as Record<string, string>);
      assert.ok([403, 421].includes(reply.status), JSON.stringify(headers));
      assert.equal(reply.headers['access-control-allow-origin'], undefined);
    }
  });

  test('its own names, addresses and pages work', async (t) => {
    const service = await inside(t);
    for (const headers of [
      { host: 'sextant.corp' },
      { host: 'SEXTANT.corp:8080' },
      { host: '10.1.2.3:8080' },
      { host: '[fd00::1]:8080' },
      { host: 'localhost' },
      { host: 'sextant.corp', origin: 'https://sextant.corp' },
    ]) {
      assert.equal((await service.get(GOOD, headers as Record<string, string>)).status, 200, JSON.stringify(headers));
    }
    assert.equal((await service.get('/docs', { host: 'sextant.corp', ...NAVIGATION })).status, 200);
  });
});

test('every operation and every other path is behind the same checks', async () => {
  const paths = OPERATIONS.flatMap(({ route }) => (route === null ? [] : [route.split(' ')[1]!]));
  for (const path of [...paths, '/healthz', '/readyz', '/docs', '/docs/errors', '/docs/privacy']) {
    const { status } = await loopback.get(path.replace(/[:*]\w+/g, 'x'), { host: 'evil.example' });
    assert.equal(status, 421, path);
  }
});

describe('headers that stand on every answer', () => {
  test('nosniff, no referrer, and nobody keeps what carries a quota', async () => {
    for (const reply of [
      await loopback.get('/v1/status'),
      await loopback.get('/v1/privacy/my-data'),
      await loopback.get('/v1/nothing'),
      await loopback.get('/v1/cve/nonsense'),
      await loopback.get('/v1/cve/%'),
      await loopback.get('/v1/usage'),
      await loopback.get('/v1/usage', await loopback.proHeaders()),
      await loopback.post('/v1/cves/bulk', { cve_ids: [] }),
      await loopback.get('/healthz'),
      await loopback.get('/mcp'),
      await loopback.get('/mcp', { host: 'evil.example' }),
    ]) {
      assert.equal(reply.headers['x-content-type-options'], 'nosniff');
      assert.equal(reply.headers['referrer-policy'], 'no-referrer');
      assert.equal(reply.headers['cache-control'], 'no-store');
    }
    // An answer with an entity tag may be kept by its client alone, who asks each time whether it has changed.
    const { headers } = await loopback.get(GOOD);
    assert.equal(headers['cache-control'], 'private, no-cache');
    assert.ok(headers['etag']);
  });

  test('pages are not kept, the description is asked for again', async () => {
    for (const [path, cache] of [
      ['/docs', 'no-store'],
      ['/docs/errors', 'no-store'],
      ['/openapi.json', 'no-cache'],
    ] as const) {
      const { headers } = await loopback.get(path);
      assert.deepEqual([headers['cache-control'], headers['x-content-type-options']], [cache, 'nosniff'], path);
    }
  });
});
