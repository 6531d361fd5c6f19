import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { cveIdFromKey } from '../../src/analysis/cve/cve-id.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { buildFixtureCatalog, temporaryFolder } from '../operations/fixture-catalog.ts';
import { IDS } from '../operations/fixture-facts.ts';
import { comparable, startBoth } from '../support/both-ways.ts';
import type { ServiceOptions } from '../support/service.ts';

const PATH = `/v1/cve/${IDS.log4shell}`;

const PATHS = [
  PATH,
  `${PATH}?include_full_references=true`,
  `${PATH}?include=full`,
  PATH.toLowerCase(),
  `${PATH}/`,
  `${PATH}?`,
  `${PATH}?unknown=1`,
  `${PATH}?include=full&include=full`,
  '/v1/cve/CVE-2024-99999',
  '/v1/cve/nonsense',
  '/v1/cve/%',
  '/v1/cwe/79',
  '/v1/cves?limit=2',
  '/v1/status',
  '/v1/nothing',
  '/healthz',
];
const HEADERS: readonly (readonly string[])[] = [
  [],
  ['Origin', 'https://page.example'],
  ['Origin', 'http://127.0.0.1'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Mode', 'navigate'],
  ['Host', 'rebound.example'],
  ['Host', 'localhost', 'Host', 'localhost'],
  ['Expect', '200-ok'],
  ['Content-Encoding', 'gzip'],
  ['Content-Length', '0'],
  ['X-API-Key', 'nonsense'],
  ['Authorization', `Bearer sxt_${'0'.repeat(48)}`],
  ['Authorization', 'Basic abc', 'Authorization', 'Basic abc'],
  ['X-Forwarded-For', '203.0.113.7'],
  ['DNT', '1'],
  ['Accept', 'text/html', 'Accept-Encoding', 'gzip', 'Accept-Version', '2'],
  ['Accept-Encoding', 'br, GZIP;q=0.5'],
  ['Accept-Encoding', 'gzip;q=0, *'],
  ['Accept-Encoding', 'gzip', 'Origin', 'http://127.0.0.1'],
  ['If-None-Match', '"something", W/"else"'],
  ['If-None-Match', '*', 'If-Modified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Range', 'bytes=0-9'],
];

describe('a request that was answered before', () => {
  for (const [what, options] of [
    ['a public service', {}],
    ['a service on loopback', { origins: { host: '127.0.0.1' } }],
    ['a service with a list of origins', { origins: { allowedOrigins: ['https://page.example'] } }],
    ['a service with a quota', { quota: { keyless: 100_000, pro: 100_000 } }],
    ['a service behind a proxy', { quota: { keyless: 100_000 }, trustedProxies: ['127.0.0.1'] }],
  ] as const satisfies readonly (readonly [string, ServiceOptions])[]) {
    test(`${what}: status, headers and body are those of the framework, whatever is asked`, async (t) => {
      const { ask, askFramework, proHeaders, clock, parsed } = await startBoth(t, options);
      const key = (await proHeaders())['authorization']!;
      for (const path of PATHS) await ask({ path });
      clock.now = new Date(clock.now.getTime() + 11_000);
      let compared = 0;
      for (const path of PATHS) {
        for (const method of ['GET', 'HEAD', 'DELETE']) {
          for (const headers of method === 'GET' ? [...HEADERS, ['Authorization', key]] : [[]]) {
            const asked = { method, path, headers };
            const reference = comparable(await askFramework(asked));
            // The second request has the bytes of the first, and is not parsed.
            for (let turn = 0; turn < 2; turn++) {
              const own = comparable(await ask(asked));
              // Each request costs a token: the second has fewer left.
              for (const { headers: received } of [own, reference]) delete received['x-ratelimit-remaining'];
              const what = `${method} ${path} ${headers.join(' ')}`;
              assert.deepEqual([own.status, own.headers], [reference.status, reference.headers], what);
              // Not `equal`: to show how two long texts differ can take minutes.
              assert.ok(own.body === reference.body, `${what}: other bodies`);
              compared++;
            }
          }
        }
      }
      assert.ok(compared > 600);
      assert.ok(parsed() < compared - 20);
    });
  }

  test('does not reach the framework; each operation that is cacheable and asked with GET, from the second request on', async (t) => {
    const { ask, framed } = await startBoth(t);
    const operations = OPERATIONS.filter(({ cacheable, route }) => cacheable && route?.startsWith('GET ') === true);
    assert.ok(operations.length > 10);
    for (const { id, route, examples } of operations) {
      const input = { ...examples[0]!.input } as Record<string, unknown>;
      const path = route!.slice(4).replace(/:(\w+)/g, (_match, name: string) => {
        const value = String(input[name]);
        delete input[name];
        return encodeURIComponent(value);
      });
      const query = new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)]));
      const url = query.size === 0 ? path : `${path}?${query}`;
      const first = await ask({ path: url });
      assert.equal(first.status, 200, url);
      const before = framed();
      assert.deepEqual(comparable(await ask({ path: url })), comparable(first));
      assert.equal(framed(), before, id);
    }
  });

  test('is charged, recorded and logged like any other', async (t) => {
    const { ask, logLines, proHeaders } = await startBoth(t, { quota: { keyless: 5, pro: 10 } });
    const left = async (headers: readonly string[] = []) => {
      const answer = await ask({ path: PATH, headers });
      return [answer.status, answer.headers['x-ratelimit-remaining'], answer.headers['x-ratelimit-cost']];
    };
    for (const remaining of ['4', '3', '2']) assert.deepEqual(await left(), [200, remaining, '1']);
    assert.deepEqual(await left(['DNT', '1']), [200, '1', '1']);
    assert.deepEqual(await left(), [200, '0', '1']);
    assert.deepEqual(await left(), [429, '0', '0']);
    const { authorization } = await proHeaders();
    for (const remaining of ['9', '8']) {
      assert.deepEqual(await left(['Authorization', authorization!]), [200, remaining, '1']);
    }
    const lines = logLines().map((line) => JSON.parse(line) as Record<string, unknown>);
    const requests = lines.filter(({ route }) => route === '/v1/cve/:cve_id');
    assert.deepEqual(
      requests.map(({ method, status }) => `${String(method)} ${String(status)}`),
      [...Array.from({ length: 5 }, () => 'GET 200'), 'GET 429', 'GET 200', 'GET 200'],
    );
    assert.equal(new Set(requests.map(({ request_id }) => request_id)).size, requests.length);
  });

  test('keeps the id of its caller, and shows the age of its data now', async (t) => {
    const { ask, clock, framed } = await startBoth(t);
    const ages: number[] = [];
    for (const seconds of [0, 0, 1, 9, 90, 100_000 - 3600]) {
      const start = new Date('2026-01-15T12:00:00Z').getTime();
      clock.now = new Date(Math.max(clock.now.getTime(), start) + seconds * 1000);
      const answer = await ask({ path: PATH, headers: ['X-Request-ID', `mine-${seconds}`] });
      assert.equal(answer.headers['x-request-id'], `mine-${seconds}`);
      assert.equal(answer.headers['content-length'], String(Buffer.byteLength(answer.body)));
      ages.push(JSON.parse(answer.body).verdict.data_age_seconds);
    }
    assert.deepEqual(ages, [3600, 3600, 3601, 3610, 3700, 3700 + 96_400]);
    // The first: the first of the next day is made without the framework.
    assert.equal(framed(), 1);
  });

  test('is answered from a new catalog at once', async (t) => {
    const folder = buildFixtureCatalog();
    const { ask, services } = await startBoth(t, { catalog: folder });
    for (let count = 0; count < 2; count++) {
      assert.equal(JSON.parse((await ask({ path: PATH })).body).kev.in_kev, true);
    }
    buildFixtureCatalog(['kev'], folder);
    services.catalog.refresh();
    for (let count = 0; count < 2; count++) {
      assert.equal(JSON.parse((await ask({ path: PATH })).body).kev.in_kev, null);
    }
  });

  test('of an address with too many refused requests is refused, too', async (t) => {
    const { ask } = await startBoth(t, { quota: { keyless: 100 }, refusedPerMinute: 3 });
    for (let count = 0; count < 2; count++) assert.equal((await ask({ path: PATH })).status, 200);
    for (let count = 0; count < 3; count++) assert.equal((await ask({ path: '/v1/nothing' })).status, 404);
    assert.equal((await ask({ path: PATH })).status, 429);
  });

  test('is not sent again to a client that names its entity tag, and costs nothing then, whichever way it takes', async (t) => {
    const { ask, askFramework, clock, parsed, logLines } = await startBoth(t, { quota: { keyless: 3 } });
    const first = await askFramework({ path: PATH });
    const tag = String(first.headers['etag']);
    assert.match(tag, /^W\/"[\w-]{22}"$/);
    assert.deepEqual([first.headers['cache-control'], first.headers['vary']], ['private, no-cache', 'Accept-Encoding']);
    clock.now = new Date(clock.now.getTime() + 5000);
    for (const value of [tag, tag.slice(2), `"other", ${tag}`]) {
      for (const way of [askFramework, ask, ask, ask]) {
        const answer = await way({ path: PATH, headers: ['If-None-Match', value] });
        assert.equal(answer.status, 304);
        assert.equal(answer.body, '');
        assert.deepEqual(
          ['etag', 'cache-control', 'vary', 'x-ratelimit-cost', 'x-ratelimit-remaining', 'content-type'].map(
            (name) => answer.headers[name],
          ),
          [tag, 'private, no-cache', 'Accept-Encoding', '0', '2', undefined],
        );
      }
    }
    const before = parsed();
    assert.equal((await ask({ path: PATH, headers: ['If-None-Match', `"other", ${tag}`] })).status, 304);
    assert.equal(parsed(), before);
    assert.equal(logLines().filter((line) => line.includes('"status":304')).length, 13);
    // Another answer, another tag, and none for what may change at any time.
    const others = await Promise.all(
      ['/v1/cwe/79', '/v1/status'].map(async (path) => (await ask({ path })).headers['etag']),
    );
    assert.equal(new Set([tag, ...others]).size, 3);
    assert.equal(others[1], undefined);
    // Nothing is left, but what has not changed can still be asked for.
    assert.equal((await ask({ path: PATH })).headers['x-ratelimit-remaining'], '0');
    assert.equal((await ask({ path: PATH })).status, 429);
    for (const way of [ask, askFramework]) {
      assert.equal((await way({ path: PATH, headers: ['If-None-Match', tag] })).status, 304);
    }
  });

  test('has the same entity tag in every process of an installation, and another in another', async (t) => {
    const dataDir = temporaryFolder();
    const tags: unknown[] = [];
    for (const options of [{ dataDir }, { dataDir, catalog: buildFixtureCatalog() }, {}]) {
      const { ask } = await startBoth(t, options);
      tags.push((await ask({ path: PATH })).headers['etag']);
    }
    assert.equal(tags[0], tags[1]);
    assert.notEqual(tags[0], tags[2]);
  });

  test('that was evicted is charged, made, and refunded when it is what the client has', async (t) => {
    const { ask, services } = await startBoth(t, { quota: { keyless: 5 } });
    const { etag } = (await ask({ path: PATH })).headers;
    // Another generation clears the cache.
    services.responseCache.find('another', '', new Date());
    const { status, headers } = await ask({ path: PATH, headers: ['If-None-Match', String(etag)] });
    assert.deepEqual([status, headers['x-ratelimit-cost'], headers['x-ratelimit-remaining']], [304, '0', '4']);
  });

  test('comes in gzip to a client that accepts it, with the age of the data now', async (t) => {
    const { ask, clock, parsed } = await startBoth(t);
    const headers = ['Accept-Encoding', 'deflate, gzip'];
    const plain = await ask({ path: PATH });
    for (const seconds of [0, 0, 0, 1, 9, 9999]) {
      clock.now = new Date(clock.now.getTime() + seconds * 1000);
      const answer = await ask({ path: PATH, headers });
      assert.deepEqual(
        [answer.headers['content-encoding'], answer.headers['etag'], answer.headers['vary']],
        ['gzip', plain.headers['etag'], 'Accept-Encoding'],
      );
      const text = gunzipSync(Buffer.from(answer.body, 'latin1')).toString();
      assert.ok(Number(answer.headers['content-length']) < text.length / 2);
      assert.equal(text, (await ask({ path: PATH })).body);
    }
    const before = parsed();
    for (let turn = 0; turn < 2; turn++) await ask({ path: PATH, headers });
    assert.equal(parsed(), before + 1);
    const short = await ask({ path: '/v1/epss/CVE-2021-44228', headers });
    assert.deepEqual([short.body.length < 1024, short.headers['content-encoding']], [true, undefined]);
  });
});

describe('a request whose URL was not asked before', () => {
  test('is answered as the framework answers it, without the framework where it names a CVE that is known', async (t) => {
    const direct = await startBoth(t);
    const framework = await startBoth(t);
    // The framework makes the headers that all answers of an operation have.
    for (const path of [PATH, '/v1/cwe/79', '/v1/kev/CVE-2021-44228']) await direct.ask({ path });
    const { cveColumns } = direct.services.catalog.current!;
    const ids = Array.from(cveColumns.key, cveIdFromKey);
    assert.ok(ids.length >= 5);
    const known = ids.filter((id) => id !== IDS.log4shell).map((id) => `/v1/cve/${id}`);
    const others = [
      ...ids.map((id) => `/v1/cve/${id.toLowerCase()}`),
      ...ids.flatMap((id) => [`/v1/kev/${id}`, `/v1/cve/${id}/`, `/v1/cve/${id}/detection`, `/v1/cve/%20${id}`]),
      ...[
        'CVE-1999-0000',
        'CVE-2024-99999',
        'CVE-2021-044228',
        'nonsense',
        'bulk',
        '..',
        '.',
        '-',
        '__proto__',
        'constructor',
      ].map((name) => `/v1/cve/${name}`),
      ...['79', 'CWE-79', 'cwe_79', '0', '-1', '99999', '1e1', 'true'].map((name) => `/v1/cwe/${name}`),
    ];
    for (const path of [...known, ...others]) {
      const framedBefore = direct.framed();
      const [own, reference] = [
        comparable(await direct.ask({ path })),
        comparable(await framework.askFramework({ path })),
      ];
      for (const { headers } of [own, reference]) delete headers['x-ratelimit-remaining'];
      // The two services have keys of their own for entity tags.
      for (const { headers } of [own, reference]) delete headers['etag'];
      assert.deepEqual([own.status, own.headers], [reference.status, reference.headers], path);
      assert.ok(own.body === reference.body, `${path}: other bodies`);
      if (known.includes(path)) assert.equal(direct.framed(), framedBefore, path);
    }
  });

  test('costs what it costs in the framework, also where the answer is an error, and is refused without tokens', async (t) => {
    const { ask } = await startBoth(t, { quota: { keyless: 5, pro: 10 } });
    const seen: unknown[] = [];
    for (const id of [
      IDS.log4shell,
      IDS.heartbleed,
      'CVE-1999-0000',
      'nonsense',
      IDS.log4shell.toLowerCase(),
      IDS.heartbleed.toLowerCase(),
      'CVE-2019-0708',
    ]) {
      const { status, headers } = await ask({ path: `/v1/cve/${id}` });
      seen.push([status, headers['x-ratelimit-remaining'], headers['x-ratelimit-cost']]);
    }
    assert.deepEqual(seen, [
      [200, '4', '1'],
      [200, '3', '1'],
      [404, '2', '1'],
      [400, '2', '0'],
      [200, '1', '1'],
      [200, '0', '1'],
      [429, '0', '0'],
    ]);
  });
});
