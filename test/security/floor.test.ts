import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { SourceContext } from '../../src/sources/source.ts';
import { SourceClient } from '../../src/sources/source-client.ts';
import { site } from '../../src/sources/site/site.ts';
import { hangUp, type Handler, raw } from '../lab/site.ts';
import { call } from '../mcp/rpc.ts';
import type { TestService } from '../support/service.ts';
import { put, questionsAbout } from './endpoints.ts';
import { type HostileWorld, openHostileWorld } from './hostile.ts';

/** The floor below all that looks at pages: robots.txt is heard first, and nobody is asked more than 60 times a minute. */

let world: HostileWorld;
let service: TestService;
let count = 0;
const ends: (() => void | Promise<void>)[] = [];
const owner = { after: (end: () => void | Promise<void>) => ends.push(end) };

before(async () => {
  world = await openHostileWorld();
  ends.push(() => world.close());
});
beforeEach(async () => {
  service = await world.service(owner);
  world.lab.requests.clear();
  world.reached.length = 0;
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

const KEEPS_OUT = 'User-agent: *\nDisallow: /\n';

/** A host that wants nobody, or answers for its robots.txt as given. */
function closed(robots: Handler = (_request, response) => void response.end(KEEPS_OUT)): string {
  const name = `closed${++count}.lab`;
  world.add(name, {
    web: (request, response) => {
      if (request.url === '/robots.txt') return robots(request, response);
      response.setHeader('content-type', 'text/html');
      response.end('<title>closed</title>');
    },
  });
  return name;
}

/** A host that wants everybody. `pages`: what it answers elsewhere than at /robots.txt. */
function open(pages: Handler): string {
  const name = `open${++count}.lab`;
  world.add(name, {
    web: (request, response) => {
      if (request.url === '/robots.txt') return void response.end('User-agent: *\nAllow: /\n');
      pages(request, response);
    },
  });
  return name;
}

const moved =
  (location: string, status = 302): Handler =>
  (_request, response) =>
    void response.writeHead(status, { location }).end();

/** What was fetched of a host, but its robots.txt. */
const pagesOf = (name: string): string[] =>
  world.reached.filter((line) => line.split(' ')[1] === name && !line.endsWith(' /robots.txt'));

describe('a host whose robots.txt keeps us out', () => {
  test('is not fetched by any operation, over REST or as a tool', async () => {
    const name = closed();
    for (const question of questionsAbout(name)) {
      await put(service, question);
      await call(service, question.operation, question.input).catch(() => {});
    }
    assert.ok(world.reached.includes(`https ${name} /robots.txt`), 'nobody looked at all');
    assert.deepEqual(pagesOf(name), []);
  });

  test('is not, however its name is written', async () => {
    const name = closed();
    for (const form of [
      name.toUpperCase(),
      `${name}.`,
      `${name}:80`,
      `${name}:443`,
      `//${name}`,
      `ｃ${name.slice(1)}`,
    ]) {
      for (const scheme of ['http', 'https']) {
        await service.get(`/v1/redirect/${encodeURIComponent(`${scheme}://${form}/a/b?c=d`)}`);
        await service.get(`/v1/redirect/${encodeURIComponent(`${scheme}://${form}/robots.txt?x`)}`);
      }
      await service.get(`/v1/seo/${encodeURIComponent(form)}`);
    }
    assert.deepEqual(pagesOf(name), []);
  });

  test('is not by redirects of others, of any kind and by any way', async () => {
    const name = closed();
    for (const [status, to] of [
      [301, `http://${name}/x`],
      [302, `https://${name}/x`],
      [303, `//${name}/x`],
      [307, `https://${name.toUpperCase()}./x`],
      [308, `http://${name}:80/`],
    ] as const) {
      const from = open(moved(to, status));
      for (const question of questionsAbout(from)) await put(service, question);
    }
    const files = open((request, response) => {
      if (request.url === '/') return void response.setHeader('content-type', 'text/html').end('<title>x</title>');
      response.writeHead(302, { location: `https://${name}${request.url}` }).end();
    });
    for (const question of questionsAbout(files)) await put(service, question);
    assert.deepEqual(pagesOf(name), []);
  });

  test('is not by the second of two files that lead there at once', async () => {
    const name = closed((_request, response) => void setTimeout(() => response.end(KEEPS_OUT), 100));
    const from = open((request, response) => {
      if (request.url === '/') return void response.setHeader('content-type', 'text/html').end('<title>x</title>');
      response.writeHead(302, { location: `http://${name}${request.url}` }).end();
    });
    const asker = new SourceClient(world.net, { baseUrlOf: () => null, keyOf: () => null }, () => new Date());
    const look = await asker.ask(site, { url: `http://${from}/`, files: ['/a.txt', '/b.txt', '/c.txt'], probes: [] });
    assert.equal(look.status, 'ok', JSON.stringify(look));
    assert.deepEqual(look.status === 'ok' && look.found.files, { '/a.txt': null, '/b.txt': null, '/c.txt': null });
    assert.deepEqual(pagesOf(name), []);
  });

  for (const [how, robots] of [
    ['is reset', raw(hangUp)],
    ['is no HTTP', raw((socket) => socket.end('hello\r\n'))],
    ['is cut short', raw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nUser-agent: *'))],
    [
      'is in a coding that nobody knows',
      (_request, response) => void response.writeHead(200, { 'content-encoding': 'rot13' }).end('x'),
    ],
    ['is status 500', (_request, response) => void response.writeHead(500).end()],
    ['is status 503', (_request, response) => void response.writeHead(503, { 'retry-after': '1' }).end()],
    ['leads to a private address', moved('http://10.0.0.1/robots.txt')],
    ['leads to no name', moved('http://nowhere-at-all.lab/robots.txt')],
    ['leads to a closed port', moved('http://mx1.kept.lab/robots.txt')],
  ] as const satisfies readonly (readonly [string, Handler])[]) {
    test(`nor one whose robots.txt ${how}`, async () => {
      const name = closed(robots);
      for (const question of questionsAbout(name)) await put(service, question);
      assert.ok(world.reached.some((line) => line.endsWith(`${name} /robots.txt`)));
      assert.deepEqual(pagesOf(name), []);
    });
  }

  test('nor one of which nobody answers for robots.txt, by which accident ever', async () => {
    const name = closed();
    for (const failure of [
      'refused',
      'tls',
      'dns',
      'no_such_name',
      'refused_address',
      'aborted',
      'timeout',
      'reset',
      'not_asked',
    ] as const) {
      const way: Partial<SourceContext> = {
        net: world.net,
        timeoutMs: 5000,
        maxBytes: 10_000,
        signal: new AbortController().signal,
        countVisit: async () => {},
        ask: async () => ({ status: 'unavailable', reason: 'by accident', timedOut: false, failure }),
      };
      await assert.rejects(
        async () => site.ask({ url: `https://${name}/`, files: [], probes: [] }, way as SourceContext),
        failure,
      );
    }
    assert.deepEqual(pagesOf(name), []);
  });
});

describe('sixty looks a minute', () => {
  const looks = (name: string): number =>
    world.reached.filter((line) => line.split(' ')[1]?.endsWith(name) && / \/(?:\?.*)?$/.test(line)).length;

  test('are all, however the target is written and whoever leads there', async () => {
    const name = `target${++count}.lab`;
    const page: Handler = (request, response) => {
      if (request.url === '/robots.txt') return void response.end('');
      response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' }).end('<title>x</title>');
    };
    const forms = [name, `www.${name}`, `a.b.${name}`, `xn--bcher-kva.${name}`, `x_y.${name}`];
    for (const form of forms) world.add(form, { web: page });
    const from = open((request, response) =>
      moved(`https://${forms[Number(request.url?.slice(1) || 0) % 5]}/`)(request, response),
    );
    const statuses: number[] = [];
    for (let at = 0; at < 30; at++) {
      const form = forms[at % forms.length]!;
      for (const path of [
        `/v1/seo/${form.toUpperCase()}`,
        `/v1/redirect/http://${form}./?${at}`,
        `/v1/redirect/https://${from}/${at}`,
        `/v1/brand/${form}.`,
      ])
        statuses.push((await service.get(path)).status);
      if (at === 15) service.clock.now = new Date(service.clock.now.getTime() + 1000);
    }
    assert.ok(statuses.includes(429));
    assert.ok(looks(name) <= 60, `${looks(name)} looks`);
    assert.ok(looks(name) > 40, `${looks(name)} looks`);
  });

  test('are all at once too', async () => {
    const name = `target${++count}.lab`;
    world.add(name, { web: (_request, response) => void response.end() });
    await Promise.all(Array.from({ length: 120 }, (_, at) => service.get(`/v1/redirect/http://${name}/?${at}`)));
    assert.ok(looks(name) <= 60 && looks(name) > 0, `${looks(name)} looks`);
  });

  test('hold where certificates name the place, too', async () => {
    const victim = `victim${++count}.lab`;
    let fetched = 0;
    world.add(victim, { web: (_request, response) => void (fetched++, response.end()) });
    const names = Array.from({ length: 70 }, (_, at) => `c${at}.many${count}.lab`);
    for (const name of names)
      world.add(name, {
        tls: (_request, response) => void response.end(),
        certificate: { issuerUrl: `http://${victim}/${name}` },
      });
    for (const name of names) assert.equal((await service.get(`/v1/ssl/${name}`)).status, 200);
    assert.ok(fetched > 0 && fetched <= 60, `${fetched} requests`);
  });
});
