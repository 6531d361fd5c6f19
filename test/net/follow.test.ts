import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { RedirectChainError, type FollowRedirectsOptions, followRedirects } from '../../src/net/follow-redirects.ts';
import { LATE_MS, serve, serveRaw } from './servers.ts';
import { netTo } from './site.ts';
import { serveTls, siteCertificate } from './tls-server.ts';

const timeout = 120_000;
const bounds = { timeoutMs: 2000, maxBytes: 1000 };
const start = new URL('http://site.example/start#part');

/** Follows from `start`, over a site that redirects by this table of paths; other paths answer 200. */
async function following(
  t: TestContext,
  table: Readonly<Record<string, string>>,
  options: Partial<FollowRedirectsOptions> = {},
) {
  const server = await serve(t, (request, response) => {
    const location = table[request.url!];
    if (location !== undefined) response.writeHead(302, { location });
    response.end(`at ${request.url}`);
  });
  const { net } = await netTo(t, server);
  return { server, net, chain: () => followRedirects(net, start, { ...bounds, ...options }) };
}

test('each hop as it was, and the answer at the end', { timeout }, async (t) => {
  const { chain } = await following(t, { '/start': '/second?x=1', '/second?x=1': 'http://www.site.example/end#z' });
  const { hops, url, response, stopReason } = await chain();
  assert.deepEqual(
    hops.map(({ url: at, status, location }) => [at, status, location]),
    [
      ['http://site.example/start', 302, '/second?x=1'],
      ['http://site.example/second?x=1', 302, 'http://www.site.example/end#z'],
      ['http://www.site.example/end', 200, null],
    ],
  );
  assert.deepEqual([url, String(response.body), stopReason], ['http://www.site.example/end', 'at /end', null]);
  assert.ok(hops.every(({ latencyMs }) => latencyMs >= 0));
});

test('a circle ends where it closes', { timeout }, async (t) => {
  const { chain, server } = await following(t, { '/start': '/b', '/b': '/start#again' });
  const { hops, stopReason, response } = await chain();
  assert.deepEqual([hops.length, stopReason, response.status, server.requests.length], [2, 'loop', 302, 2]);
  const self = await following(t, { '/start': '' });
  assert.equal((await self.chain()).stopReason, 'loop');
});

test('ten redirects are followed by default, or as many as wanted', { timeout }, async (t) => {
  const table = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [i === 0 ? '/start' : `/${i}`, `/${i + 1}`]));
  const { chain, server } = await following(t, table);
  const { hops, stopReason } = await chain();
  assert.deepEqual([hops.length, stopReason, server.requests.length], [11, 'too_many', 11]);
  const one = await (await following(t, table, { maxHops: 1 })).chain();
  assert.deepEqual([one.hops.length, one.stopReason], [2, 'too_many']);
  const enough = await (await following(t, { '/start': '/1' }, { maxHops: 1 })).chain();
  assert.deepEqual([enough.hops.length, enough.stopReason], [2, null]);
});

test('what is no http(s), cannot be read, or has a login in it is not followed', { timeout }, async (t) => {
  for (const [location, stopped] of [
    ['ftp://site.example/', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['http://[::1', 'malformed'],
    ['http://user@site.example/', 'login'],
  ] as const) {
    const found = await (await following(t, { '/start': location })).chain();
    assert.deepEqual([found.hops.length, found.hops[0]?.location, found.stopReason], [1, location, stopped]);
  }
  // A redirect to nowhere is an answer.
  const server = await serve(t, (_request, response) => response.writeHead(301).end());
  const { net } = await netTo(t, server);
  assert.deepEqual((await followRedirects(net, start, bounds)).stopReason, null);
});

test('a hop that fails tells of the hops before it', { timeout }, async (t) => {
  const { chain } = await following(t, { '/start': '/b', '/b': 'http://10.0.0.1/inside' });
  await assert.rejects(chain(), (error: RedirectChainError) => {
    assert.ok(error instanceof RedirectChainError);
    assert.deepEqual([error.code, error.url, error.hops.length], ['refused_address', 'http://10.0.0.1/inside', 2]);
    return true;
  });
});

test('from https to http and on, as servers want it', { timeout }, async (t) => {
  const http = await serve(t, (_request, response) => response.end('plain'));
  const tls = await serveTls(t, [siteCertificate()], {}, (socket) =>
    socket.end('HTTP/1.1 301 Moved\r\nlocation: http://site.example/\r\ncontent-length: 0\r\n\r\n'),
  );
  const portOf = (server: { url: string }) => Number(new URL(server.url).port);
  const mapEndpoint = ({ port }: { port: number }) => ({
    address: '127.0.0.1',
    port: portOf(port === 443 ? tls : http),
  });
  const { net } = await netTo(t, http, { mapEndpoint });
  const { hops, response: answer } = await followRedirects(net, new URL('https://site.example/'), {
    ...bounds,
    anyCertificate: true,
  });
  assert.deepEqual([hops.length, String(answer.body)], [2, 'plain']);
});

test('`onHop` is awaited before each request, and may end the chain', { timeout }, async (t) => {
  const seen: string[] = [];
  const onHop = async (url: URL) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    seen.push(url.href);
    if (url.pathname === '/c') throw new Error('enough');
  };
  const { chain, server } = await following(t, { '/start': '/b', '/b': '/c' }, { onHop });
  await assert.rejects(chain(), { message: 'enough' });
  assert.deepEqual(seen, ['http://site.example/start', 'http://site.example/b', 'http://site.example/c']);
  assert.deepEqual(
    server.requests.map(({ url }) => url),
    ['/start', '/b'],
  );
});

test('all hops share one time', { timeout }, async (t) => {
  const server = await serve(t, (request, response) => {
    setTimeout(() => response.writeHead(302, { location: `${request.url}x` }).end(), 40);
  });
  const { net } = await netTo(t, server);
  const began = performance.now();
  await assert.rejects(followRedirects(net, start, { ...bounds, timeoutMs: 150, maxHops: 100 }), { code: 'timeout' });
  assert.ok(performance.now() - began < LATE_MS);
});

test('another origin sees harmless headers only', { timeout }, async (t) => {
  const headers = { authorization: 'secret', cookie: 'secret', accept: 'text/html', 'x-key': 'secret' };
  const { chain, server } = await following(t, { '/start': '/b', '/b': 'http://www.site.example/c' }, { headers });
  await chain();
  assert.deepEqual(
    server.requests.map((request) => request.headers['x-key']),
    ['secret', 'secret', undefined],
  );
  const { authorization, cookie, accept } = server.requests[2]!.headers;
  assert.deepEqual([authorization, cookie, accept], [undefined, undefined, 'text/html']);
});

/** RFC 9110, 5.5: a header is bytes. Browsers percent-encode those beyond ASCII as they are. */
test('a Location beyond ASCII is asked for by its bytes', { timeout }, async (t) => {
  for (const [location, asked, host] of [
    [Buffer.from('/café?x=ü'), '/caf%C3%A9?x=%C3%BC', 'site.example'],
    [Buffer.from('/caf\xe9', 'latin1'), '/caf%E9', 'site.example'],
    [Buffer.from('http://bücher.example/'), '/', 'xn--bcher-kva.example'],
  ] as const) {
    const server = await serveRaw(t, (socket, request) => {
      const [, path = ''] = request.split(' ', 2);
      if (path !== '/start') return void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      socket.write('HTTP/1.1 302 Found\r\ncontent-length: 0\r\nlocation: ');
      socket.write(location);
      socket.end('\r\n\r\n');
    });
    const { net } = await netTo(t, server, { names: { 'xn--bcher-kva.example': ['93.184.216.34'] } });
    const { url, stopReason } = await followRedirects(net, start, bounds);
    assert.deepEqual([url, stopReason], [`http://${host}${asked}`, null]);
  }
});

describe('cookies of a chain', () => {
  /** Sets a cookie and leads to the same address until it comes back, as many gates before sites do. */
  const gate = (t: TestContext, cookie: string | string[]) =>
    serve(t, (request, response) => {
      if (request.headers.cookie !== undefined) response.end(request.headers.cookie);
      else response.writeHead(302, { location: request.url!, 'set-cookie': cookie }).end();
    });

  test('a redirect to itself that sets one is no circle', { timeout }, async (t) => {
    const server = await gate(t, ['seen=1; Path=/; HttpOnly', 'lang=en']);
    const { net } = await netTo(t, server);
    const { hops, stopReason, response } = await followRedirects(net, start, bounds);
    assert.deepEqual([hops.length, stopReason, String(response.body)], [2, null, 'seen=1; lang=en']);
  });

  test('one that changes with each request ends at the last redirect', { timeout }, async (t) => {
    let count = 0;
    const server = await serve(t, (_request, response) =>
      response.writeHead(302, { location: '/start', 'set-cookie': `n=${++count}` }).end(),
    );
    const { net } = await netTo(t, server);
    const { hops, stopReason } = await followRedirects(net, start, { ...bounds, maxHops: 4 });
    assert.deepEqual([hops.length, stopReason], [5, 'too_many']);
  });

  test('go to the host that set them and nowhere else; Secure ones never over http', { timeout }, async (t) => {
    const table: Record<string, string> = { '/start': '/b', '/b': 'http://www.site.example/c' };
    const server = await serve(t, (request, response) => {
      const location = table[request.url!];
      const headers = { 'set-cookie': ['a=1', 'b=2; Secure', 'c=3; Max-Age=0', 'bad\u00e9=1', '=x', 'd'] };
      if (location === undefined) response.end();
      else response.writeHead(302, { location, ...headers }).end();
    });
    const { net } = await netTo(t, server);
    await followRedirects(net, start, bounds);
    assert.deepEqual(
      server.requests.map(({ headers }) => headers.cookie),
      [undefined, 'a=1', undefined],
    );
  });

  test('are forgotten with the chain', { timeout }, async (t) => {
    const server = await gate(t, 'seen=1');
    const { net } = await netTo(t, server);
    await followRedirects(net, start, bounds);
    await followRedirects(net, start, bounds);
    assert.deepEqual(
      server.requests.map(({ headers }) => headers.cookie),
      [undefined, 'seen=1', undefined, 'seen=1'],
    );
  });
});
