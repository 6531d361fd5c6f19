import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { keyFor } from '../lab/x509.ts';
import { listen, serve, serveRaw } from './servers.ts';
import { netTo, SITE } from './site.ts';
import { AUTHORITIES, serveTls, siteCertificate, siteKey } from './tls-server.ts';

const timeout = 120_000;
const bounds = { timeoutMs: 20_000, maxBytes: 1000 };
const page = new URL('https://site.example/path');
const { root, middle } = AUTHORITIES;
const extraCa = [root.pem];

/** An HTTPS server that answers with what was asked. */
function serveHttps(t: TestContext, chain = [siteCertificate(), middle]) {
  const http = createHttpServer((request, response) =>
    response.end(`${request.method} ${request.headers.host} ${request.url}`),
  );
  return serveTls(t, chain, {}, (socket) => http.emit('connection', socket));
}

test('https with certificates that the operator trusts', { timeout }, async (t) => {
  const server = await serveHttps(t);
  const { net, dialled } = await netTo(t, server, { extraCa });
  const answer = await net.fetch(page, bounds);
  assert.equal(String(answer.body), 'GET site.example /path');
  assert.deepEqual([answer.address, dialled], [SITE, [{ address: SITE, port: 443 }]]);
});

test('a certificate that is not valid is refused, unless any will do', { timeout }, async (t) => {
  const bad = {
    'not trusted': [siteCertificate({ issuer: { name: 'Nobody', key: keyFor('nobody', 'p256') } })],
    expired: [siteCertificate({ from: -20, until: -1 }), middle],
    'for another name': [siteCertificate({ names: ['other.example'] }), middle],
    'without its issuer': [siteCertificate()],
  };
  for (const [what, chain] of Object.entries(bad)) {
    const { net } = await netTo(t, await serveHttps(t, chain), { extraCa });
    await assert.rejects(net.fetch(page, bounds), { code: 'tls' }, what);
    assert.equal((await net.fetch(page, { ...bounds, anyCertificate: true })).status, 200, what);
  }
  const { net } = await netTo(t, await serveHttps(t));
  await assert.rejects(net.fetch(page, bounds), { code: 'tls' });
});

test('a handshake that hangs ends at the time', { timeout }, async (t) => {
  const { net } = await netTo(t, await serveRaw(t, () => {}));
  await assert.rejects(net.fetch(page, { ...bounds, timeoutMs: 100 }), { code: 'timeout' });
});

interface ProxyLog {
  url: string;
  connects: string[];
  authorizations: (string | undefined)[];
}

/** A proxy that takes whoever asks for anywhere to `port`. */
async function serveProxy(t: TestContext, port: number, secure: boolean, status = 200): Promise<ProxyLog> {
  const log: ProxyLog = { url: '', connects: [], authorizations: [] };
  const http = createHttpServer();
  http.on('connect', (request, socket: Socket) => {
    log.connects.push(request.url!);
    log.authorizations.push(request.headers['proxy-authorization']);
    socket.on('error', () => {});
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    t.after(() => onward.destroy());
  });
  const certificate = siteCertificate({ names: ['localhost'] });
  const tls = createTlsServer({ key: siteKey, cert: certificate.pem + middle.pem }, (socket) =>
    http.emit('connection', socket),
  );
  const running = await listen(t, secure ? tls : http);
  const { port: own } = new URL(running.url);
  log.url = `${secure ? 'https' : 'http'}://user:p%40ss@localhost:${own}`;
  return log;
}

for (const secure of [false, true]) {
  test(`everything but WHOIS goes through the ${secure ? 'https' : 'http'} proxy, to vetted addresses`, {
    timeout,
  }, async (t) => {
    const server = await serveHttps(t);
    const plain = await serve(t, (_request, response) => response.end('plain'));
    const proxy = await serveProxy(t, Number(new URL(server.url).port), secure);
    const { net, dialled } = await netTo(t, server, { extraCa, proxy: proxy.url });
    assert.equal(String((await net.fetch(page, bounds)).body), 'GET site.example /path');
    assert.equal((await net.tlsHandshake('site.example', bounds)).authorizationError, null);
    assert.deepEqual(proxy.connects, [`${SITE}:443`, `${SITE}:443`]);
    assert.deepEqual(proxy.authorizations[0], `Basic ${btoa('user:p@ss')}`);
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254']) {
      await assert.rejects(net.fetch(new URL(`http://${host}/`), bounds), { code: 'refused_address' });
    }
    assert.equal(proxy.connects.length, 2);
    // What the operator set in a private network is this side of the proxy.
    const trusted = { ...bounds, trusted: true, anyCertificate: true };
    const inside = await net.fetch(new URL('https://10.0.0.1/'), trusted);
    assert.deepEqual([inside.status, dialled], [200, [{ address: '10.0.0.1', port: 443 }]]);
    assert.equal(proxy.connects.length, 2);
    const toPlain = await serveProxy(t, Number(new URL(plain.url).port), secure);
    const { net: other } = await netTo(t, server, { extraCa, proxy: toPlain.url });
    assert.equal(String((await other.fetch(new URL('http://[2606:2800:220:1::1]/'), bounds)).body), 'plain');
    assert.deepEqual(toPlain.connects, ['[2606:2800:220:1::1]:80']);
  });
}

test('a proxy that refuses, hangs, or is not there', { timeout }, async (t) => {
  const server = await serveHttps(t);
  const refusing = await serveProxy(t, 1, false, 407);
  const { net } = await netTo(t, server, { proxy: refusing.url });
  await assert.rejects(net.fetch(page, bounds), (error: { code?: string; message: string }) => {
    assert.equal(error.code, 'unreachable');
    assert.match(error.message, /the proxy answered 407/);
    return true;
  });
  const silent = await serveRaw(t, () => {});
  const { net: hanging } = await netTo(t, server, { proxy: silent.url });
  await assert.rejects(hanging.fetch(page, { ...bounds, timeoutMs: 100 }), { code: 'timeout' });
  const { net: alone } = await netTo(t, server, { proxy: 'http://user:p4ss@127.0.0.1:1' });
  await assert.rejects(alone.fetch(page, bounds), (error: { code?: string; message: string }) => {
    assert.equal(error.code, 'unreachable');
    assert.doesNotMatch(error.message, /p4ss/);
    return true;
  });
});
