import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { allClosed, serveRaw } from './servers.ts';
import { netTo } from './site.ts';

const timeout = 120_000;
const bounds = { timeoutMs: 1000, maxBytes: 1000 };
const whois = { host: 'site.example', port: 43 };

async function talkingTo(t: TestContext, onSocket: (socket: Socket) => void) {
  const server = await serveRaw(t, () => {});
  server.server.on('connection', onSocket);
  return { server, ...(await netTo(t, server)) };
}

test('one line, and all that comes back (RFC 3912)', { timeout }, async (t) => {
  const lines: string[] = [];
  const { net, dialled } = await talkingTo(t, (socket) =>
    socket.on('data', (data) => {
      lines.push(String(data));
      socket.write('Domain: ');
      setTimeout(() => socket.end('EXAMPLE\r\n'), 10);
    }),
  );
  assert.equal(await net.sendLine(whois, 'example.com', bounds), 'Domain: EXAMPLE\r\n');
  assert.deepEqual([lines, dialled[0]?.port], [['example.com\r\n'], 43]);
});

test('UTF-8, and ISO 8859-1 where it is not that', { timeout }, async (t) => {
  for (const [bytes, expected] of [
    [Buffer.from('Zürich'), 'Zürich'],
    [Buffer.from('Zürich', 'latin1'), 'Zürich'],
    [Buffer.from([]), ''],
  ] as const) {
    const { net } = await talkingTo(t, (socket) => socket.end(bytes));
    assert.equal(await net.sendLine(whois, 'x', bounds), expected);
  }
});

test('too much, too slow, broken off', { timeout }, async (t) => {
  const huge = await talkingTo(t, (socket) => socket.write(Buffer.alloc(2000, 'x')));
  await assert.rejects(huge.net.sendLine(whois, 'x', bounds), { code: 'too_large' });
  assert.ok(await allClosed(huge.server));
  const drip = await talkingTo(t, (socket) => {
    const timer = setInterval(() => socket.write('x'), 10);
    socket.on('close', () => clearInterval(timer));
  });
  await assert.rejects(drip.net.sendLine(whois, 'x', { ...bounds, timeoutMs: 100 }), { code: 'timeout' });
  assert.ok(await allClosed(drip.server));
  const broken = await talkingTo(t, (socket) => {
    socket.write('Domain: ');
    setTimeout(() => socket.resetAndDestroy(), 20);
  });
  await assert.rejects(broken.net.sendLine(whois, 'x', bounds), { code: 'reset' });
});

test('ports of other services are not talked to', { timeout }, async (t) => {
  const { net, server } = await talkingTo(t, (socket) => socket.end('x'));
  for (const port of [25, 22, 6667, 0]) {
    await assert.rejects(net.sendLine({ ...whois, port }, 'x', bounds), { code: 'protocol' }, String(port));
  }
  assert.equal(server.connections, 0);
  assert.equal(await net.sendLine({ ...whois, port: 4343 }, 'x', bounds), 'x');
});

test('a question is one line', { timeout }, async (t) => {
  const { net, server } = await talkingTo(t, (socket) => socket.end());
  for (const line of ['a\r\nb', 'a\n', '\r']) {
    await assert.rejects(net.sendLine(whois, line, bounds), { code: 'protocol' }, JSON.stringify(line));
  }
  assert.ok(await allClosed(server));
});
