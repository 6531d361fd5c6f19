import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type HttpOptions, httpGet, readText } from '../../src/net/http-get.ts';
import { NetError } from '../../src/net/net-error.ts';
import { VERSION } from '../../src/version.ts';
import { allClosed, closedPort, poolFor, serve, serveRaw, LATE_MS } from './servers.ts';

const timeout = 120_000;
const OK = 'HTTP/1.1 200 OK\r\n';

/** GETs and reads to the end with small bounds. */
async function fetchText(t: TestContext, url: string, options: Partial<HttpOptions> = {}): Promise<string> {
  const pool = options.pool ?? poolFor(t);
  return readText(await httpGet(url, { ...options, pool }), 64 * 1024 * 1024);
}

function fails(code: NetError['code'], message?: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof NetError, `not a NetError: ${String(error)}`);
    assert.equal(error.code, code, error.message);
    if (message) assert.match(error.message, message);
    return true;
  };
}

test('answers with status, headers, address and body', { timeout }, async (t) => {
  const server = await serve(t, (_request, response) => {
    response.writeHead(
      203,
      [
        ['X-Thing', 'a'],
        ['X-Thing', 'b'],
        ['Content-Type', 'application/json'],
      ].flat(),
    );
    response.end('{"a":"é"}');
  });
  const answer = await httpGet(`${server.url}x?q=1#part`, { pool: poolFor(t) });
  assert.equal(answer.status, 203);
  assert.equal(answer.headers.get('x-thing'), 'a, b');
  assert.equal(answer.url, `${server.url}x?q=1`);
  assert.equal(await readText(answer, 100), '{"a":"é"}');
  assert.equal(server.requests[0]?.url, '/x?q=1');
  assert.equal(server.requests[0]?.headers['user-agent'], `Sextant/${VERSION}`);
  assert.equal(server.requests[0]?.headers['accept-encoding'], 'identity');
});

test('keeps the connection for the next request', { timeout }, async (t) => {
  const server = await serve(t, (_request, response) => response.end('x'));
  const pool = poolFor(t);
  for (let i = 0; i < 5; i++) assert.equal(await fetchText(t, server.url, { pool }), 'x');
  assert.ok(server.connections <= 2, `${server.connections} connections`);
});

test('a login in the address becomes Basic authorization and is seen nowhere else', { timeout }, async (t) => {
  const server = await serve(t, (_request, response) => response.end('not json'));
  const url = new URL(server.url);
  url.username = 'user';
  url.password = 'p@ss';
  const answer = await httpGet(url, { pool: poolFor(t) });
  assert.equal(server.requests[0]?.headers.authorization, `Basic ${btoa('user:p@ss')}`);
  assert.equal(answer.url, server.url);
  await assert.rejects(
    readText(answer, 1),
    (error: NetError) => error.code === 'too_large' && !/p@ss|p%40ss/.test(error.message),
  );
});

test('refuses what is not http(s)', { timeout }, async (t) => {
  const pool = poolFor(t);
  for (const address of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'nonsense']) {
    await assert.rejects(httpGet(address, { pool }), fails('protocol'), address);
  }
});

test('a server that never answers is a timeout', { timeout }, async (t) => {
  const server = await serveRaw(t, () => {});
  await assert.rejects(
    fetchText(t, server.url, { bounds: { headersMs: 100 } }),
    fails('timeout', /no answer within 100 ms/),
  );
  assert.ok(await allClosed(server));
});

test('headers that trickle in are a timeout', { timeout }, async (t) => {
  const server = await serveRaw(t, (socket) => {
    socket.write(OK);
    const drip = setInterval(() => socket.write('x-a: b\r\n'), 20);
    socket.on('close', () => clearInterval(drip));
  });
  await assert.rejects(fetchText(t, server.url, { bounds: { headersMs: 150 } }), fails('timeout', /no answer/));
});

test('a TLS handshake that is never answered is a timeout', { timeout }, async (t) => {
  const server = await serveRaw(t, () => {});
  const url = server.url.replace('http:', 'https:');
  const start = performance.now();
  await assert.rejects(fetchText(t, url, { bounds: { headersMs: 100 } }), fails('timeout', /no answer/));
  await assert.rejects(fetchText(t, url, { signal: AbortSignal.timeout(50) }), fails('aborted'));
  assert.ok(performance.now() - start < LATE_MS);
  const pool = poolFor(t, { connectMs: 100 });
  await assert.rejects(fetchText(t, url, { pool }), fails('timeout', /connect/i));
});

test('headers, then nothing: the idle bound', { timeout }, async (t) => {
  const server = await serveRaw(t, (socket) => socket.write(`${OK}content-length: 10\r\n\r\nabc`));
  await assert.rejects(fetchText(t, server.url, { bounds: { idleMs: 100 } }), fails('timeout', /no data for 100 ms/));
  assert.ok(await allClosed(server));
});

test('a body that drips passes the idle bound and ends at the total one', { timeout }, async (t) => {
  const server = await serve(t, (_request, response) => {
    const drip = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(drip));
  });
  const bounds = { idleMs: 1500, totalMs: 2000 };
  const start = performance.now();
  await assert.rejects(fetchText(t, server.url, { bounds }), fails('timeout', /not done within 2000 ms/));
  assert.ok(performance.now() - start >= 1990);
  assert.ok(await allClosed(server));
});

test('a slow reader is not an idle server', { timeout }, async (t) => {
  const server = await serve(t, (_request, response) => response.end('x'.repeat(300_000)));
  const answer = await httpGet(server.url, { bounds: { idleMs: 1000 }, pool: poolFor(t) });
  let read = 0;
  for await (const chunk of answer.body) {
    if (read === 0) await new Promise((resolve) => setTimeout(resolve, 1500));
    read += chunk.byteLength;
  }
  assert.equal(read, 300_000);
});

test('an endless body ends at its bound', { timeout }, async (t) => {
  const server = await serve(t, (_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384)));
    };
    response.on('drain', more);
    more();
  });
  const bounds = { maxBytes: 1_000_000 };
  await assert.rejects(fetchText(t, server.url, { bounds }), fails('too_large', /1000000 bytes/));
  assert.ok(await allClosed(server));
});

test('an announced length over the bound is refused before the body', { timeout }, async (t) => {
  const server = await serveRaw(t, (socket) => socket.write(`${OK}content-length: 5000000000\r\n\r\n`));
  await assert.rejects(fetchText(t, server.url, { bounds: { maxBytes: 1000 } }), fails('too_large'));
  assert.ok(await allClosed(server));
});

test('readText has a bound of its own', { timeout }, async (t) => {
  const server = await serve(t, (_request, response) => response.end('x'.repeat(1001)));
  const options = { pool: poolFor(t) };
  await assert.rejects(readText(await httpGet(server.url, options), 1000), fails('too_large'));
  assert.equal((await readText(await httpGet(server.url, options), 1001)).length, 1001);
});

test('a body shorter than announced is a reset', { timeout }, async (t) => {
  const server = await serveRaw(t, (socket) => socket.end(`${OK}content-length: 10\r\n\r\nabc`));
  await assert.rejects(fetchText(t, server.url), fails('reset'));
});

test('a chunked body that stops short is a reset', { timeout }, async (t) => {
  const server = await serveRaw(t, (socket) => socket.end(`${OK}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`));
  await assert.rejects(fetchText(t, server.url), fails('reset'));
});

test('a body longer than announced ends where announced, and the rest is never taken for an answer', {
  timeout,
}, async (t) => {
  const server = await serveRaw(t, (socket) => {
    socket.write(`${OK}content-length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil`);
  });
  const pool = poolFor(t);
  for (let i = 0; i < 2; i++) {
    const text = await fetchText(t, server.url, { pool }).catch((error: NetError) => error.code);
    assert.ok(['abc', 'reset', 'protocol'].includes(text), text);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});

test('a connection reset before and within the body', { timeout }, async (t) => {
  const before = await serveRaw(t, (socket) => socket.resetAndDestroy());
  await assert.rejects(fetchText(t, before.url), fails('reset'));
  const within = await serveRaw(t, (socket) => {
    socket.write(`${OK}content-length: 10\r\n\r\nabc`);
    setTimeout(() => socket.resetAndDestroy(), 30);
  });
  await assert.rejects(fetchText(t, within.url), fails('reset'));
});

test('nobody listens: refused', { timeout }, async (t) => {
  await assert.rejects(fetchText(t, `http://127.0.0.1:${await closedPort()}/`), fails('refused', /ECONNREFUSED/));
});

test('a name that does not exist', { timeout }, async (t) => {
  await assert.rejects(fetchText(t, 'http://nowhere.invalid/'), fails('no_such_name', /nowhere\.invalid/));
});

test('a server without TLS asked by https: tls', { timeout }, async (t) => {
  const server = await serve(t, (_request, response) => response.end());
  await assert.rejects(fetchText(t, server.url.replace('http:', 'https:')), fails('tls'));
});

test('what is not HTTP: protocol', { timeout }, async (t) => {
  const server = await serveRaw(t, (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
  await assert.rejects(fetchText(t, server.url), fails('protocol'));
});

test('headers without end: too large', { timeout }, async (t) => {
  const server = await serveRaw(t, (socket) => socket.write(`${OK}x-a: ${'a'.repeat(5000)}\r\n\r\n`));
  const pool = poolFor(t, { maxHeaderBytes: 4096 });
  await assert.rejects(fetchText(t, server.url, { pool }), fails('too_large', /headers/));
  assert.ok(await allClosed(server));
});

test('the caller stops it before, while waiting, and within the body', { timeout }, async (t) => {
  const silent = await serveRaw(t, () => {});
  const stalled = await serveRaw(t, (socket) => socket.write(`${OK}content-length: 10\r\n\r\nabc`));
  await assert.rejects(fetchText(t, silent.url, { signal: AbortSignal.abort() }), fails('aborted'));
  for (const server of [silent, stalled]) {
    await assert.rejects(fetchText(t, server.url, { signal: AbortSignal.timeout(50) }), fails('aborted'));
    assert.ok(await allClosed(server));
  }
});

test('stopping early, and discarding, destroy the socket', { timeout }, async (t) => {
  const server = await serve(t, (_request, response) => response.write('x'.repeat(100_000)));
  const options = { pool: poolFor(t) };
  for await (const chunk of (await httpGet(server.url, options)).body) {
    assert.ok(chunk.byteLength > 0);
    break;
  }
  assert.ok(await allClosed(server));
  (await httpGet(server.url, options)).discard();
  assert.ok(await allClosed(server));
});

test('a body that nobody reads breaks without harm, and says so when it is read', { timeout }, async (t) => {
  const server = await serveRaw(t, (socket) => socket.write(`${OK}content-length: 10\r\n\r\nabc`));
  const answer = await httpGet(server.url, { pool: poolFor(t) });
  for (const socket of server.open) socket.resetAndDestroy();
  await new Promise((resolve) => setTimeout(resolve, 60));
  await assert.rejects(readText(answer, 100), fails('reset'));
});
