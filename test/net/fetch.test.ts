import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { FetchResponse, FetchOptions } from '../../src/net/fetch-types.ts';
import type { NetError } from '../../src/net/net-error.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { VERSION } from '../../src/version.ts';
import { eventually } from '../support/engines.ts';
import { LATE_MS, allClosed, closedPort, serve, serveRaw } from './servers.ts';
import { netTo, SITE } from './site.ts';

const timeout = 120_000;
const page = new URL('http://site.example/');
/** Long enough for a busy machine: what times out says so by a time of its own. */
const bounds = { timeoutMs: 30_000, maxBytes: 100_000 };

/** Fetches from a server that writes what it likes. */
async function from(
  t: TestContext,
  write: Parameters<typeof serveRaw>[1],
  options: Partial<FetchOptions> = {},
): Promise<FetchResponse> {
  const { net } = await netTo(t, await serveRaw(t, write));
  return net.fetch(page, { ...bounds, ...options });
}

const says = (text: string | Buffer) => (socket: { end(data: string | Buffer): unknown }) => socket.end(text);

test('one request, as it is sent and answered', { timeout }, async (t) => {
  const server = await serve(t, (_request, response) => {
    response.writeHead(203, ['X-Thing', 'a', 'x-thing', 'b, c', 'Content-Type', 'text/plain']);
    response.end('body');
  });
  const { net, dialled } = await netTo(t, server);
  const answer = await net.fetch(new URL('http://Site.Example/a b?q=1#part'), { ...bounds, headers: { 'x-own': '1' } });
  assert.equal(answer.status, 203);
  assert.deepEqual(answer.headers.get('x-thing'), ['a', 'b, c']);
  assert.equal(String(answer.body), 'body');
  assert.equal(answer.truncated, false);
  assert.equal(answer.address, SITE);
  assert.ok(answer.latencyMs >= 0 && answer.latencyMs < bounds.timeoutMs);
  assert.deepEqual(dialled, [{ address: SITE, port: 80 }]);
  const { url, headers } = server.requests[0]!;
  assert.equal(url, '/a%20b?q=1');
  assert.deepEqual(
    [headers.host, headers['user-agent'], headers['accept-encoding'], headers.connection, headers['x-own']],
    ['site.example', `Sextant/${VERSION}`, 'gzip, deflate, br', 'close', '1'],
  );
  assert.ok(await allClosed(server));
});

test('methods with and without a body', { timeout }, async (t) => {
  const server = await serve(t, (request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () =>
      response.writeHead(200, { 'content-length': '9' }).end(`${body}${'-'.repeat(9 - body.length)}`),
    );
  });
  const { net } = await netTo(t, server);
  for (const method of ['GET', 'OPTIONS', 'TRACE'] as const) {
    assert.equal(String((await net.fetch(page, { ...bounds, method })).body), '---------', method);
  }
  assert.equal((await net.fetch(page, { ...bounds, method: 'HEAD' })).body.length, 0);
  assert.equal(String((await net.fetch(page, { ...bounds, method: 'POST', body: '{"a":1}' })).body), '{"a":1}--');
  assert.deepEqual(
    server.requests.map(({ method }) => method),
    ['GET', 'OPTIONS', 'TRACE', 'HEAD', 'POST'],
  );
});

test('an IPv6 literal', { timeout }, async (t) => {
  const server = await serve(t, (_request, response) => response.end('6'));
  const { net, dialled } = await netTo(t, server);
  const answer = await net.fetch(new URL('http://[2606:2800:220:0001::1]:8080/'), bounds);
  assert.deepEqual([answer.address, dialled[0]], ['2606:2800:220:1::1', { address: '2606:2800:220:1::1', port: 8080 }]);
  assert.equal(server.requests[0]?.headers.host, '[2606:2800:220:1::1]:8080');
});

test('a dead address is left for the next one of the name', { timeout }, async (t) => {
  const server = await serve(t, (_request, response) => response.end('x'));
  const dead = await closedPort();
  const port = Number(new URL(server.url).port);
  const names = { 'two.example': ['93.184.216.1', '93.184.216.2', '2606:2800:220:1::1'] };
  const mapEndpoint = (to: { address: string }) => ({
    address: '127.0.0.1',
    port: to.address.endsWith('.1') ? dead : port,
  });
  const { net } = await netTo(t, server, { names, mapEndpoint });
  assert.equal((await net.fetch(new URL('http://two.example/'), bounds)).address, '93.184.216.2');
  const alone = await netTo(t, server, { mapEndpoint: () => ({ address: '127.0.0.1', port: dead }) });
  await assert.rejects(alone.net.fetch(page, bounds), { code: 'refused' });
});

const CODED: [string, Buffer][] = [
  ['gzip', gzipSync('hello')],
  ['x-gzip', gzipSync('hello')],
  ['GZIP', Buffer.concat([gzipSync('hel'), gzipSync('lo')])],
  ['deflate', deflateSync('hello')],
  ['deflate', deflateRawSync('hello')],
  ['br', brotliCompressSync('hello')],
  ['identity', Buffer.from('hello')],
];

for (const [coding, body] of CODED) {
  test(`content coding ${coding} is undone`, { timeout }, async (t) => {
    const server = await serve(t, (_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(body),
    );
    const { net } = await netTo(t, server);
    assert.equal(String((await net.fetch(page, bounds)).body), 'hello');
    assert.equal(String((await net.fetch(page, { ...bounds, truncate: true })).body), 'hello');
    // A label on nothing.
    assert.equal((await net.fetch(page, { ...bounds, method: 'HEAD' })).status, 200);
  });
}

test('codings that break, stop short, or were not asked for', { timeout }, async (t) => {
  const table: [string, Buffer][] = [
    ['gzip', gzipSync('hello').subarray(0, -4)],
    ['gzip', Buffer.from('not gzip')],
    ['br', brotliCompressSync('hello hello hello').subarray(0, -3)],
    ['deflate', deflateSync('hello').subarray(0, 6)],
    ['zstd', Buffer.from('x')],
    ['gzip, gzip', gzipSync(gzipSync('hello'))],
  ];
  for (const [coding, body] of table) {
    const server = await serve(t, (_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(body),
    );
    const { net } = await netTo(t, server);
    await assert.rejects(net.fetch(page, bounds), { code: 'protocol' }, coding);
    await assert.rejects(net.fetch(page, { ...bounds, truncate: true }), { code: 'protocol' }, coding);
  }
  const empty = await serve(t, (_request, response) => response.writeHead(200, { 'content-encoding': 'br' }).end());
  const { net } = await netTo(t, empty);
  assert.equal((await net.fetch(page, bounds)).body.length, 0);
});

test('a body that is too large is refused, or cut where that was asked for', { timeout }, async (t) => {
  for (const headers of [{ 'content-length': '5000' }, {}]) {
    const server = await serve(t, (_request, response) => response.writeHead(200, headers).end('x'.repeat(5000)));
    const { net } = await netTo(t, server);
    await assert.rejects(net.fetch(page, { ...bounds, maxBytes: 4999 }), { code: 'too_large' });
    const cut = await net.fetch(page, { ...bounds, maxBytes: 4999, truncate: true });
    assert.deepEqual([cut.body.length, cut.truncated], [4999, true]);
    const whole = await net.fetch(page, { ...bounds, maxBytes: 5000, truncate: true });
    assert.deepEqual([whole.body.length, whole.truncated], [5000, false]);
    assert.ok(await allClosed(server));
  }
});

test('a gigabyte of zeros in a megabyte of gzip is not unpacked', { timeout: 20_000 }, async (t) => {
  const member = gzipSync(Buffer.alloc(16 * 1024 ** 2));
  const bombs: [string, Buffer][] = [
    ['gzip', Buffer.concat(Array.from({ length: 64 }, () => member))],
    ['br', brotliCompressSync(Buffer.alloc(64 * 1024 ** 2), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ];
  for (const [coding, bomb] of bombs) {
    const server = await serve(t, (_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(bomb),
    );
    const { net } = await netTo(t, server);
    await net.fetch(page, { ...bounds, truncate: true });
    const before = process.memoryUsage().rss;
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 1);
    for (let i = 0; i < 10; i++) {
      const cut = await net.fetch(page, { ...bounds, maxBytes: 2 * 1024 ** 2, truncate: true });
      assert.deepEqual([cut.body.length, cut.truncated], [2 * 1024 ** 2, true]);
      await assert.rejects(net.fetch(page, { ...bounds, maxBytes: 2 * 1024 ** 2 }), { code: 'too_large' });
    }
    clearInterval(watch);
    const grownMb = Math.round((Math.max(most, process.memoryUsage().rss) - before) / 1024 ** 2);
    t.diagnostic(`${coding}: ${grownMb} MB more for 20 bombs`);
    assert.ok(grownMb < 120, `${grownMb} MB`);
  }
});

test('a coding that takes bytes and gives none is cut by what was transferred', { timeout }, async (t) => {
  // Empty stored blocks (RFC 1951, 3.2.4), without an end.
  const block = Buffer.concat(Array.from({ length: 4000 }, () => Buffer.from([0, 0, 0, 0xff, 0xff])));
  const server = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'deflate' });
    const more = (): void => {
      while (!response.destroyed && response.write(block));
    };
    response.on('drain', more);
    more();
  });
  const { net } = await netTo(t, server);
  const cut = await net.fetch(page, { ...bounds, truncate: true });
  assert.deepEqual([cut.body.length, cut.truncated], [0, true]);
  await assert.rejects(net.fetch(page, bounds), { code: 'too_large' });
  assert.ok(await allClosed(server));
});

test('servers that are slow end at the time', { timeout }, async (t) => {
  const slow: Record<string, Parameters<typeof serveRaw>[1]> = {
    'no answer': () => {},
    'headers that trickle': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('x-a: b\r\n'), 10);
      socket.on('close', () => clearInterval(drip));
    },
    'a body that drips': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const drip = setInterval(() => socket.write('x'), 10);
      socket.on('close', () => clearInterval(drip));
    },
    'half a body': (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nx'),
    'interim answers by the clock': (socket) => {
      const drip = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 60);
      socket.on('close', () => clearInterval(drip));
    },
  };
  for (const [what, write] of Object.entries(slow)) {
    const start = performance.now();
    await assert.rejects(from(t, write, { timeoutMs: 200, truncate: true }), { code: 'timeout' }, what);
    assert.ok(performance.now() - start < LATE_MS, what);
  }
});

test('servers that send too many headers', { timeout }, async (t) => {
  const endless = (line: string) => (socket: import('node:net').Socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const more = (): void => {
      while (!socket.destroyed && socket.write(line));
    };
    socket.on('drain', more);
    more();
  };
  await assert.rejects(from(t, endless('x-a: b\r\n')), { code: 'too_large' });
  await assert.rejects(from(t, endless('a'.repeat(1000))), { code: 'too_large' });
  await assert.rejects(from(t, says(`HTTP/1.1 200 OK\r\n${'a:\r\n'.repeat(600)}\r\n`)), {
    code: 'too_large',
    message: /more than 512 header lines/,
  });
  const interim = 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n';
  await assert.rejects(from(t, says(`${interim.repeat(100)}HTTP/1.1 200 OK\r\n\r\n`)), { code: 'protocol' });
  const few = await from(t, says(`${interim.repeat(3)}HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx`));
  assert.deepEqual([few.status, few.headers.has('link')], [200, false]);
});

test('servers that lie, break off or talk nonsense', { timeout }, async (t) => {
  const failing: [string, Parameters<typeof serveRaw>[1]][] = [
    ['more announced than sent', says('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc')],
    ['a chunk that ends early', says('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\na\r\nabc')],
    ['a chunk of no size', says('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n')],
    ['two lengths', says('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab')],
    ['a negative length', says('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nab')],
    ['nothing', (socket) => socket.end()],
    ['nonsense', says('SSH-2.0-OpenSSH_9.6\r\n')],
    ['HTTP/0.9', says('<html>hello</html>')],
    [
      'an upgrade nobody wanted',
      says('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nabc'),
    ],
    ['an answer 100', says('HTTP/1.1 100 Continue\r\n\r\n')],
    ['a reset', (socket) => socket.resetAndDestroy()],
    [
      'a reset in the body',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc');
        setTimeout(() => socket.resetAndDestroy(), 20);
      },
    ],
    [
      'a reset in a body that only the end of the connection ends',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\nabc');
        setTimeout(() => socket.resetAndDestroy(), 20);
      },
    ],
  ];
  for (const [what, write] of failing) {
    await assert.rejects(
      from(t, write),
      (error: { code?: string }) => error.code === 'reset' || error.code === 'protocol',
      what,
    );
  }
  const more = await from(t, says('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabcdef'));
  assert.equal(String(more.body), 'abc');
  const second = await from(
    t,
    says('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\naHTTP/1.1 500 No\r\ncontent-length: 1\r\n\r\nb'),
  );
  assert.deepEqual([second.status, String(second.body)], [200, 'a']);
});

test('a message names the host, never path, query or login', { timeout }, async (t) => {
  const server = await serveRaw(t, (socket) => socket.resetAndDestroy());
  const { net } = await netTo(t, server);
  for (const url of ['http://site.example/secret?secret=secret', 'http://secret:secret@site.example/']) {
    await assert.rejects(net.fetch(new URL(url), bounds), (error: Error) => {
      assert.match(error.message, /site\.example/);
      assert.doesNotMatch(error.message, /secret/);
      return true;
    });
  }
});

test('the caller and closing end what is under way', { timeout }, async (t) => {
  const server = await serveRaw(t, () => {});
  const { net } = await netTo(t, server);
  const stop = new AbortController();
  const first = net.fetch(page, { ...bounds, signal: stop.signal });
  const second = net.fetch(page, bounds);
  setTimeout(() => stop.abort(), 30);
  await assert.rejects(first, { code: 'aborted' });
  await net.close();
  await assert.rejects(second, { code: 'aborted' });
  await assert.rejects(net.fetch(page, bounds), { code: 'aborted' });
  await assert.rejects(net.queryDns('site.example', 'A', bounds), { code: 'aborted' });
  assert.ok(await allClosed(server));
});

test('no more than sixteen connections to one registrable domain; the rest wait, for half of their time', {
  timeout,
}, async (t) => {
  let most = 0;
  const full = Promise.withResolvers<void>();
  // Nobody is answered until as many as may be are there.
  const server = await serve(t, (_request, response) => {
    most = Math.max(most, server.open.size);
    if (most >= 16) full.resolve();
    void full.promise.then(() => setTimeout(() => response.end('x'), 30));
  });
  const { net } = await netTo(t, server);
  const hosts = ['site.example', 'www.site.example'];
  const all = Array.from({ length: 40 }, (_, i) => net.fetch(new URL(`http://${hosts[i % 2]}/`), bounds));
  assert.equal((await Promise.all(all)).length, 40);
  assert.equal(most, 16);
  const stuck = await serveRaw(t, () => {});
  const { net: waiting } = await netTo(t, stuck);
  const all20 = Array.from({ length: 20 }, () => waiting.fetch(page, { ...bounds, timeoutMs: 4000 }));
  const settling = Promise.allSettled(all20);
  await eventually(() => stuck.connections === 16, 'sixteen connections');
  const codes = (await settling).map((one) => one.status === 'rejected' && (one.reason as NetError).code);
  assert.deepEqual(codes.toSorted(), [...Array(4).fill('busy'), ...Array(16).fill('timeout')]);
});

test('only http and https', { timeout }, async (t) => {
  const net = openNetworkClient({ dnsServers: ['127.0.0.1:1'], allowedPrivate: [], proxy: null, extraCa: [] });
  t.after(() => net.close());
  for (const url of ['ftp://site.example/', 'file:///etc/passwd', 'ws://site.example/']) {
    await assert.rejects(net.fetch(new URL(url), { ...bounds, trusted: true }), { code: 'protocol' });
  }
});
