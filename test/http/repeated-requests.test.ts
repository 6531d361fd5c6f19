import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, request, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { OPERATIONS } from '../../src/operations/list.ts';
import { buildFixtureCatalog } from '../operations/fixture-catalog.ts';
import { IDS } from '../operations/fixture-facts.ts';
import { type ServiceOptions, startService, type TestService } from '../support/service.ts';

const PATH = `/v1/cve/${IDS.log4shell}`;

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

interface Asked {
  method?: string;
  path: string;
  /** Names and values in turn, so that a header may come twice. */
  headers?: readonly string[];
  body?: string;
}

interface Pair extends TestService {
  /** Answered as the service does. */
  ask: (asked: Asked) => Promise<Answer>;
  /** Answered by the framework, whatever was asked before. */
  askFramework: (asked: Asked) => Promise<Answer>;
  /** How many requests reached the framework so far. */
  framed: () => number;
}

/** One service at two ports: at the second, all requests go to the framework. */
async function startBoth(t: TestContext, options: ServiceOptions = {}): Promise<Pair> {
  const service = await startService(t, options);
  let framed = 0;
  service.app.addHook('onRequest', (_request, _reply, next) => {
    framed++;
    next();
  });
  const base = new URL(await service.listen());
  const framework: RequestListener = (incoming, response) => service.app.routing(incoming, response);
  const server = createServer({ requireHostHeader: false }, framework).on('checkExpectation', framework);
  server.keepAliveTimeout = service.app.server.keepAliveTimeout;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new Agent({ keepAlive: true });
  t.after(() => {
    agent.destroy();
    server.close();
  });
  return {
    ...service,
    ask: (asked) => send(agent, Number(base.port), asked),
    askFramework: (asked) => send(agent, (server.address() as AddressInfo).port, asked),
    framed: () => framed,
  };
}

function send(agent: Agent, port: number, { method = 'GET', path, headers = [], body }: Asked): Promise<Answer> {
  // With a list of headers Node adds none of its own.
  const all = ['Connection', 'keep-alive', ...(headers.includes('Host') ? [] : ['Host', '127.0.0.1']), ...headers];
  if (body !== undefined) all.push('Content-Length', String(Buffer.byteLength(body)));
  return new Promise((resolve, reject) => {
    const asked = request({ agent, port, host: '127.0.0.1', method, path, headers: all }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: { ...response.headers },
          body: Buffer.concat(parts).toString(),
        }),
      );
    });
    asked.on('error', reject).end(body);
  });
}

/** Without what differs between any two requests. */
function comparable({ status, headers, body }: Answer): Answer {
  const { date: _date, 'x-request-id': id, ...others } = headers;
  return { status, headers: others, body: body.replaceAll(String(id), '<id>') };
}

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
      const { ask, askFramework, proHeaders, clock } = await startBoth(t, options);
      const key = (await proHeaders())['authorization']!;
      for (const path of PATHS) await ask({ path });
      clock.now = new Date(clock.now.getTime() + 11_000);
      let compared = 0;
      for (const path of PATHS) {
        for (const method of ['GET', 'HEAD', 'DELETE']) {
          for (const headers of method === 'GET' ? [...HEADERS, ['Authorization', key]] : [[]]) {
            const asked = { method, path, headers };
            const own = comparable(await ask(asked));
            const reference = comparable(await askFramework(asked));
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
      assert.ok(compared > 300);
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
});
