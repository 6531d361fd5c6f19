import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Upstream } from '../../src/feeds/upstream.ts';
import { createUpstream, type WebUpstreamOptions } from '../../src/feeds/create-upstream.ts';
import { allClosed, closedPort, poolFor, serve, serveRaw, type TestServer } from '../net/servers.ts';

const timeout = 3000;

function upstreamAt(t: TestContext, address: string, web: WebUpstreamOptions = {}, signal?: AbortSignal): Upstream {
  const options = { pool: poolFor(t), backoffMs: 20, ...web };
  return createUpstream({ address, layout: 'mirror', web: options, signal });
}

/** A server that answers from a list, the last answer again and again. */
async function scripted(t: TestContext, answers: ((request: IncomingMessage, response: ServerResponse) => void)[]) {
  let turn = 0;
  return serve(t, (request, response) => answers[Math.min(turn++, answers.length - 1)]?.(request, response));
}

function status(code: number, headers: Record<string, string> = {}) {
  return (_request: IncomingMessage, response: ServerResponse) => response.writeHead(code, headers).end('x');
}

async function content(upstream: Upstream, path: string): Promise<Buffer> {
  const opened = await upstream.openFile(path, null);
  assert.ok(opened.status === 'open', opened.status);
  return Buffer.concat(await Array.fromAsync(opened.bytes));
}

function paths(server: TestServer): (string | undefined)[] {
  return server.requests.map((request) => request.url);
}

test('reads files below its address, with or without a slash at its end', { timeout }, async (t) => {
  const server = await serve(t, (request, response) => response.end(request.url));
  const upstream = upstreamAt(t, `${server.url}feeds/nvd?x#y`);
  assert.equal(upstream.layout, 'mirror');
  assert.equal(await upstream.readText('a.meta'), '/feeds/nvd/a.meta');
  assert.equal((await content(upstream, 'sub/b.json?page=2')).toString(), '/feeds/nvd/sub/b.json?page=2');
});

test('does not read outside of it, but for absolute addresses that an upstream names', { timeout }, async (t) => {
  const other = await serve(t, (_request, response) => response.end('other'));
  const server = await serve(t, (_request, response) => response.end('own'));
  const upstream = upstreamAt(t, `${server.url}feeds/`);
  for (const path of [
    '../x',
    '%2e%2e/x',
    '/x',
    '//127.0.0.1:1/x',
    '\\\\h\\x',
    'file:///etc/passwd',
    'ftp://h/x',
    'http://u:p@h/',
  ]) {
    await assert.rejects(upstream.readText(path), { name: 'UpstreamError', message: /outside/ }, path);
    await assert.rejects(upstream.openFile(path, null), { name: 'UpstreamError' }, path);
  }
  assert.equal(server.requests.length, 0);
  assert.equal(await upstream.readText(`${other.url}x`), 'other');
  const secure = upstreamAt(t, 'https://127.0.0.1/feeds/');
  await assert.rejects(secure.readText(`${other.url}x`), { name: 'UpstreamError', message: /outside/ });
});

test('missing files are null and missing, for 404 and 410', { timeout }, async (t) => {
  for (const code of [404, 410]) {
    const server = await scripted(t, [status(code)]);
    const upstream = upstreamAt(t, server.url);
    assert.equal(await upstream.readText('x'), null);
    assert.equal(await upstream.readJson('x'), null);
    assert.deepEqual(await upstream.openFile('x', null), { status: 'missing' });
    await assert.rejects(upstream.listFiles(/x/), { name: 'UpstreamError', status: code });
  }
});

test('other statuses are errors that carry them', { timeout }, async (t) => {
  for (const code of [204, 206, 304, 401, 403]) {
    const server = await scripted(t, [status(code, { 'retry-after': '7' })]);
    const upstream = upstreamAt(t, server.url);
    const expected = {
      name: 'UpstreamError',
      status: code,
      message: new RegExp(`${code} for /x$`),
    };
    await assert.rejects(upstream.readText('x'), expected);
    await assert.rejects(upstream.openFile('x?key=secret', null), expected);
    assert.equal(server.requests.length, 2);
  }
});

test('a conditional GET by ETag and date', { timeout }, async (t) => {
  const date = 'Tue, 05 Aug 2025 10:00:00 GMT';
  const server = await serve(t, (request, response) => {
    if (request.headers['if-none-match'] === 'W/"1"' && request.headers['if-modified-since'] === date)
      response.writeHead(304).end();
    else response.writeHead(200, { etag: 'W/"1"', 'last-modified': date, 'content-length': 4 }).end('data');
  });
  const upstream = upstreamAt(t, server.url);
  const first = await upstream.openFile('a', null);
  assert.ok(first.status === 'open' && first.validator !== null);
  assert.equal(first.size, 4);
  assert.equal(Buffer.concat(await Array.fromAsync(first.bytes)).toString(), 'data');
  assert.deepEqual(await upstream.openFile('a', first.validator), { status: 'unchanged' });
  // Another file's validator, a folder's, and garbage ask for the whole file.
  for (const [path, validator] of [
    ['b', first.validator],
    ['a', '3-1700000000'],
    ['a', '{'],
    ['a', '"x"'],
  ] as const) {
    const opened = await upstream.openFile(path, validator);
    assert.ok(opened.status === 'open', validator);
    await Array.fromAsync(opened.bytes);
  }
});

test('unchanged is no answer where nothing was compared', { timeout }, async (t) => {
  const server = await scripted(t, [status(304)]);
  const opening = upstreamAt(t, server.url).openFile('a', '["http://other.example/a","1",null]');
  await assert.rejects(opening, { name: 'UpstreamError', status: 304 });
});

test('one validator is enough; none is null', { timeout }, async (t) => {
  const server = await serve(t, (request, response) => {
    if (request.headers['if-modified-since']) response.writeHead(304).end();
    else
      response
        .writeHead(200, request.url === '/dated' ? { 'last-modified': 'Tue, 05 Aug 2025 10:00:00 GMT' } : {})
        .end('x');
  });
  const upstream = upstreamAt(t, server.url);
  const dated = await upstream.openFile('dated', null);
  assert.ok(dated.status === 'open');
  await Array.fromAsync(dated.bytes);
  assert.deepEqual(await upstream.openFile('dated', dated.validator), { status: 'unchanged' });
  const bare = await upstream.openFile('bare', null);
  assert.ok(bare.status === 'open' && bare.validator === null);
  await Array.fromAsync(bare.bytes);
});

test('503 with Retry-After, then the file', { timeout }, async (t) => {
  const server = await scripted(t, [status(503, { 'retry-after': '1' }), status(200)]);
  const start = performance.now();
  assert.equal(await upstreamAt(t, server.url).readText('x'), 'x');
  assert.ok(performance.now() - start >= 990);
  assert.equal(server.requests.length, 2);
});

test('tries again twice on 5xx and 429, then gives up', { timeout }, async (t) => {
  for (const code of [429, 500, 502, 503, 504]) {
    const server = await scripted(t, [status(code)]);
    await assert.rejects(upstreamAt(t, server.url).openFile('x', null), { name: 'UpstreamError', status: code });
    assert.equal(server.requests.length, 3);
  }
  const server = await scripted(t, [status(500), status(429), status(200)]);
  assert.equal(await upstreamAt(t, server.url).readText('x'), 'x');
});

test('does not wait for a server that wants more than half a minute, nor beyond the total bound', {
  timeout,
}, async (t) => {
  const long = await scripted(t, [status(429, { 'retry-after': '31' })]);
  await assert.rejects(upstreamAt(t, long.url).readText('x'), { status: 429 });
  assert.equal(long.requests.length, 1);
  const slow = await scripted(t, [status(503, { 'retry-after': '5' })]);
  const web = { bounds: { totalMs: 1000 } };
  await assert.rejects(upstreamAt(t, slow.url, web).readText('x'), { status: 503 });
});

test('tries again when the connection is dropped before the answer, never within a body', { timeout }, async (t) => {
  let before = 0;
  const dropping = await serveRaw(t, (socket) => {
    if (before++ < 2) socket.resetAndDestroy();
    else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx');
  });
  assert.equal(await upstreamAt(t, dropping.url).readText('x'), 'x');
  assert.equal(before, 3);
  let within = 0;
  const breaking = await serveRaw(t, (socket) => {
    within++;
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx');
  });
  const upstream = upstreamAt(t, breaking.url);
  await assert.rejects(upstream.readText('x'), { name: 'NetError', code: 'reset' });
  await assert.rejects(content(upstream, 'x'), { name: 'NetError', code: 'reset' });
  assert.equal(within, 2);
});

test('does not try again where nobody listens', { timeout }, async (t) => {
  const upstream = upstreamAt(t, `http://127.0.0.1:${await closedPort()}/`, { backoffMs: 5000 });
  await assert.rejects(upstream.readText('x'), { name: 'NetError', code: 'refused' });
});

test('an answer that is tried again leaves no socket behind', { timeout }, async (t) => {
  const server = await scripted(t, [
    (_request, response) => response.writeHead(503).write('a page without end'),
    (_request, response) => response.end('x'),
  ]);
  assert.equal(await upstreamAt(t, server.url).readText('x'), 'x');
  assert.ok(server.open.size <= 1, `${server.open.size} sockets`);
});

test('the caller stops a pause', { timeout }, async (t) => {
  const server = await scripted(t, [status(503, { 'retry-after': '20' })]);
  const start = performance.now();
  const upstream = upstreamAt(t, server.url, {}, AbortSignal.timeout(100));
  await assert.rejects(upstream.readText('x'), { name: 'NetError', code: 'aborted' });
  assert.ok(performance.now() - start < 10_000);
});

test('the token goes to its origin alone, a login to its own', { timeout }, async (t) => {
  const assets = await serve(t, (_request, response) => response.end('asset'));
  const server = await serve(t, (request, response) => {
    if (request.url === '/asset') response.writeHead(302, { location: assets.url }).end();
    else response.end('{}');
  });
  const authorization = { origin: new URL(server.url).origin, value: 'Bearer token' };
  const upstream = upstreamAt(t, server.url, { authorization });
  await upstream.readJson('api');
  assert.equal(await upstream.readText('asset'), 'asset');
  assert.equal(await upstream.readText(`${assets.url}direct`), 'asset');
  assert.deepEqual(
    server.requests.map((request) => request.headers.authorization),
    ['Bearer token', 'Bearer token'],
  );
  assert.deepEqual(
    assets.requests.map((request) => request.headers.authorization),
    [undefined, undefined],
  );

  const login = server.url.replace('//', '//me:pass@');
  const mirror = upstreamAt(t, login);
  await mirror.readJson('api');
  await mirror.readJson(`${server.url}api?page=2`);
  await mirror.readText(`${assets.url}direct`);
  const basic = `Basic ${btoa('me:pass')}`;
  assert.deepEqual(
    server.requests.slice(2).map((request) => request.headers.authorization),
    [basic, basic],
  );
  assert.equal(assets.requests.at(-1)?.headers.authorization, undefined);
  const opened = await mirror.openFile('api', null);
  assert.ok(opened.status === 'open' && !opened.validator?.includes('pass'));
  await Array.fromAsync(opened.bytes);
});

test('JSON pages follow their Link header within the origin', { timeout }, async (t) => {
  const server = await serve(t, (request, response) => {
    const next = request.url === '/advisories?per_page=1' ? '</advisories?after=x>' : '<https://elsewhere.example/>';
    response.writeHead(200, { link: `${next}; rel="next"` }).end('[1]');
  });
  const upstream = upstreamAt(t, server.url);
  const first = await upstream.readJson('advisories?per_page=1');
  assert.deepEqual(first, { body: [1], next: `${server.url}advisories?after=x` });
  assert.deepEqual(await upstream.readJson(first?.next ?? ''), { body: [1], next: null });
  assert.equal(server.requests[0]?.headers.accept, 'application/json');
});

test('text and JSON have limits, and JSON is JSON', { timeout }, async (t) => {
  const server = await serve(t, (_request, response) => response.end('x'.repeat(1001)));
  const upstream = upstreamAt(t, server.url, { maxTextBytes: 1000 });
  await assert.rejects(upstream.readText('x'), { name: 'NetError', code: 'too_large' });
  await assert.rejects(upstream.readJson('x'), { name: 'NetError', code: 'too_large' });
  assert.equal((await upstream.readText('x', 1001))?.length, 1001);
  await assert.rejects(upstream.readJson('x', 1001), { name: 'NetError', code: 'protocol', message: /not JSON/ });
});

test('lists names from a directory page, also after a redirect', { timeout }, async (t) => {
  const server = await serve(t, (request, response) => {
    if (request.url === '/feeds/') response.writeHead(301, { location: '/mirror/feeds/' }).end();
    else
      response.end(
        '<a href="../">..</a><a href="b.zip">b</a><a href="a.zip">a</a><a href="a.txt">t</a><a href="/x/c.zip">c</a>',
      );
  });
  assert.deepEqual(await upstreamAt(t, `${server.url}feeds`).listFiles(/\.zip$/g), ['a.zip', 'b.zip']);
  assert.deepEqual(paths(server), ['/feeds/', '/mirror/feeds/']);
});

test('a .gz file comes as it is, however the server labels it; other codings are undone', { timeout }, async (t) => {
  const packed = gzipSync('data');
  const server = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length }).end(packed);
  });
  const upstream = upstreamAt(t, server.url);
  assert.equal(gunzipSync(await content(upstream, 'scores.csv.gz')).toString(), 'data');
  assert.equal((await content(upstream, 'scores.csv')).toString(), 'data');
  const opened = await upstream.openFile('scores.csv', null);
  assert.ok(opened.status === 'open' && opened.size === null);
  await Array.fromAsync(opened.bytes);
});

test('a file over its bound ends there, one left early frees its socket', { timeout }, async (t) => {
  const server = await serve(t, (_request, response) => response.write('x'.repeat(200_000)));
  const bounds = { maxBytes: 150_000 };
  await assert.rejects(content(upstreamAt(t, server.url, { bounds }), 'x'), { name: 'NetError', code: 'too_large' });
  const opened = await upstreamAt(t, server.url).openFile('x', null);
  assert.ok(opened.status === 'open');
  for await (const _ of opened.bytes) break;
  assert.ok(await allClosed(server));
});
