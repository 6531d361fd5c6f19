import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { TlsSessions } from '../../../src/net/tls/tls-sessions.ts';
import { listen } from '../servers.ts';
import { netTo, SITE } from '../site.ts';
import { AUTHORITIES, serveTls, siteCertificate } from '../tls-server.ts';

/** TLS sessions of earlier connections: resumed only for the same address, port, name and check of the certificate. */

const timeout = 120_000;
const bounds = { timeoutMs: 20_000, maxBytes: 1000 };
const { root, middle } = AUTHORITIES;
const extraCa = [root.pem];
const certificate = siteCertificate({ names: ['site.example', 'www.site.example'] });

/** An HTTPS server; `resumed`: of each connection, whether it resumed a session. */
async function serveCounted(t: TestContext, options: { maxVersion?: 'TLSv1.2' } = {}) {
  const resumed: boolean[] = [];
  const http = createHttpServer((_request, response) => response.end('here'));
  const server = await serveTls(t, [certificate, middle], options, (socket: TLSSocket) => {
    resumed.push(socket.isSessionReused());
    http.emit('connection', socket);
  });
  return { ...server, resumed };
}

for (const maxVersion of [undefined, 'TLSv1.2'] as const) {
  test(`the next connection to a server resumes its session (${maxVersion ?? 'TLSv1.3'})`, { timeout }, async (t) => {
    const server = await serveCounted(t, maxVersion === undefined ? {} : { maxVersion });
    const { net } = await netTo(t, server, { extraCa });
    for (let at = 0; at < 3; at++)
      assert.equal(String((await net.fetch(new URL('https://site.example/'), bounds)).body), 'here');
    assert.deepEqual(server.resumed, [false, true, true]);
  });
}

test('under another name, at another port, and where any certificate will do, the handshake is a full one', {
  timeout,
}, async (t) => {
  const server = await serveCounted(t);
  const names: Record<string, readonly string[]> = { 'site.example': [SITE], 'www.site.example': [SITE] };
  const { net } = await netTo(t, server, { extraCa, names });
  const fetch = (host: string, anyCertificate = false) =>
    net.fetch(new URL(`https://${host}/`), { ...bounds, anyCertificate });
  await fetch('site.example');
  await fetch('www.site.example');
  await fetch('site.example', true);
  await net.fetch(new URL('https://site.example:8443/'), bounds);
  assert.deepEqual(server.resumed, [false, false, false, false]);
  await fetch('site.example');
  assert.equal(server.resumed.at(-1), true);
});

test('sessions are kept by address', () => {
  const sessions = new TlsSessions();
  const key = { address: SITE, port: 443, serverName: 'site.example', anyCertificate: false };
  sessions.put(key, Buffer.from('session'));
  assert.equal(String(sessions.get(key)), 'session');
  assert.equal(sessions.get({ ...key, address: '93.184.216.35' }), undefined);
});

test('a certificate that was accepted unseen is still refused where it must be valid', { timeout }, async (t) => {
  const server = await serveCounted(t);
  const { net } = await netTo(t, server);
  const page = new URL('https://site.example/');
  for (let at = 0; at < 2; at++) assert.equal((await net.fetch(page, { ...bounds, anyCertificate: true })).status, 200);
  await assert.rejects(net.fetch(page, bounds), { code: 'tls' });
});

test('an inspection of the server is always a full handshake', { timeout }, async (t) => {
  const server = await serveCounted(t);
  const { net } = await netTo(t, server, { extraCa });
  await net.fetch(new URL('https://site.example/'), { ...bounds, anyCertificate: true });
  const { certificates } = await net.tlsHandshake('site.example', bounds);
  assert.equal(certificates.length, 2);
  assert.equal(server.resumed.at(-1), false);
});

test('a server that fails at resuming is asked again, with a full handshake', { timeout }, async (t) => {
  const server = await serveCounted(t);
  const port = Number(new URL(server.url).port);
  const offers: boolean[] = [];
  const front = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (hello: Buffer) => {
      offers.push(extensionsOf(hello).includes(PRE_SHARED_KEY));
      if (offers.at(-1)) return socket.destroy();
      const onward = connect(port, '127.0.0.1');
      onward.on('error', () => socket.destroy());
      onward.write(hello);
      socket.pipe(onward).pipe(socket);
    });
  });
  const { net } = await netTo(t, await listen(t, front), { extraCa });
  for (let at = 0; at < 2; at++)
    assert.equal(String((await net.fetch(new URL('https://site.example/'), bounds)).body), 'here');
  assert.deepEqual(offers, [false, true, false]);
});

/** RFC 8446, 4.2. */
const PRE_SHARED_KEY = 41;

/** Types of the extensions of a ClientHello (RFC 8446, 4.1.2) in one TLS record. */
function extensionsOf(record: Buffer): number[] {
  let at = 5 + 4 + 2 + 32;
  at += 1 + record[at]!;
  at += 2 + record.readUInt16BE(at);
  at += 1 + record[at]!;
  const end = at + 2 + record.readUInt16BE(at);
  const types: number[] = [];
  for (at += 2; at < end; at += 4 + record.readUInt16BE(at + 2)) types.push(record.readUInt16BE(at));
  return types;
}
