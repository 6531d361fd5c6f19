import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { NetError } from '../../src/net/net-error.ts';
import { serveDns, message } from './dns-server.ts';
import { serveRaw } from './servers.ts';
import { netTo } from './site.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { AUTHORITIES, serveTls, siteCertificate } from './tls-server.ts';

/** Whatever a server sends, there is an answer or a `NetError`: never an error that nobody catches, which would end the process. */

const bounds = { timeoutMs: 300, maxBytes: 10_000 };

/** Some bytes of `whole` changed, cut, and sent in pieces. */
const damage = (whole: Buffer) =>
  fc
    .record({
      changes: fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 4 }),
      length: fc.oneof(fc.constant(whole.length), fc.nat(whole.length)),
      pieces: fc.array(fc.nat(whole.length), { maxLength: 3 }),
      reset: fc.boolean(),
    })
    .map(({ changes, length, pieces, reset }) => {
      const bytes = Buffer.from(whole);
      for (const [at, value] of changes) bytes[at] = value;
      const cuts = [0, ...pieces.filter((at) => at < length).toSorted((a, b) => a - b), length];
      return { parts: cuts.slice(1).map((end, i) => bytes.subarray(cuts[i], end)), reset };
    });

async function settles(attempt: Promise<unknown>): Promise<void> {
  await attempt.catch((error: unknown) => assert.ok(error instanceof NetError, String(error)));
}

test('damaged HTTP', { timeout: 240_000 }, async (t: TestContext) => {
  let send: { parts: Buffer[]; reset: boolean } = { parts: [], reset: false };
  const server = await serveRaw(t, (socket) => {
    for (const part of send.parts) socket.write(part);
    if (send.reset) socket.resetAndDestroy();
    else socket.end();
  });
  const { net } = await netTo(t, server);
  const packed = gzipSync('hello '.repeat(100));
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n';
  const answers = [
    Buffer.from(`${head}content-length: 5\r\n\r\nhello`),
    Buffer.from(`${head}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n3;x=y\r\nyou\r\n0\r\nx-trailer: 1\r\n\r\n`),
    Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 302 Found\r\nlocation: /\r\n\r\nbody to the end'),
    Buffer.concat([Buffer.from(`${head}content-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`), packed]),
  ];
  for (const answer of answers) {
    const property = fc.asyncProperty(
      damage(answer),
      fc.boolean(),
      fc.constantFrom('GET', 'HEAD'),
      async (sent, cut, method) => {
        send = sent;
        await settles(
          net.fetch(new URL('http://site.example/'), { ...bounds, truncate: cut, method: method as 'GET' }),
        );
      },
    );
    await fc.assert(property, { numRuns: 150 });
  }
});

test('damaged TLS', { timeout: 240_000 }, async (t) => {
  const real = await serveTls(t, [siteCertificate(), AUTHORITIES.middle]);
  const port = Number(new URL(real.url).port);
  let changes: readonly (readonly [number, number])[] = [];
  const between = await serveRaw(t, () => {});
  between.server.on('connection', (client: import('node:net').Socket) => {
    const onward = connect(port, '127.0.0.1');
    let passed = 0;
    client.on('data', (data) => onward.write(data));
    client.on('close', () => onward.destroy());
    onward.on('error', () => client.destroy());
    onward.on('close', () => client.destroy());
    onward.on('data', (data: Buffer) => {
      for (const [at, value] of changes) if (at >= passed && at < passed + data.length) data[at - passed] = value;
      passed += data.length;
      client.write(data);
    });
  });
  const { net } = await netTo(t, between);
  const property = fc.asyncProperty(
    fc.array(fc.tuple(fc.nat(1500), fc.nat(255)), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('TLSv1.2', 'TLSv1.3'),
    async (wanted, maxVersion) => {
      changes = wanted;
      await settles(net.tlsHandshake('site.example', { ...bounds, maxVersion: maxVersion as 'TLSv1.2' }));
      await settles(net.fetch(new URL('https://site.example/'), { ...bounds, timeoutMs: 30, anyCertificate: true }));
    },
  );
  await fc.assert(property, { numRuns: 60 });
});

test('damaged DNS', { timeout: 240_000 }, async (t) => {
  let change: (answer: Buffer) => Buffer = (answer) => answer;
  const dns = await serveDns(t, ({ id, name, type }) => {
    const question = { name, type: type as 'A' };
    const answers = [
      { name, type: 'CNAME' as const, data: 'b.example' },
      { name: 'b.example', type: 'A' as const, data: '192.0.2.7' },
    ];
    return change(message(id, question, { answers }));
  });
  const net = openNetworkClient({ dnsServers: [dns.address], allowedPrivate: [], proxy: null, extraCa: [] });
  t.after(() => net.close());
  const property = fc.asyncProperty(
    fc.array(fc.tuple(fc.nat(80), fc.nat(255)), { maxLength: 4 }),
    fc.nat(20),
    async (changes, cut) => {
      change = (answer) => {
        for (const [at, value] of changes) if (at > 1 && at < answer.length) answer[at] = value;
        return answer.subarray(0, answer.length - cut);
      };
      await settles(net.queryDns('a.example', 'A', { timeoutMs: 60 }));
      await settles(net.resolveAddresses('a.example', { timeoutMs: 60 }));
    },
  );
  await fc.assert(property, { numRuns: 200 });
});
