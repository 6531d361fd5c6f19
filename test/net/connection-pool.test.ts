import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { ConnectionPool } from '../../src/net/connection-pool.ts';
import { Connector } from '../../src/net/connector.ts';
import { httpGet, readText } from '../../src/net/http-get.ts';
import { serveDns, zone } from './dns-server.ts';
import { serve, serveRaw } from './servers.ts';
import { SITE } from './site.ts';
import { AUTHORITIES, serveTls, siteCertificate } from './tls-server.ts';

const timeout = 120_000;

/** GETs through a door whose public addresses lead to `server`. */
async function getting(t: TestContext, server: { url: string }, { trusted = false, connectMs = 2000 } = {}) {
  const dns = await serveDns(t, zone({ 'site.example': [SITE], 'inside.example': ['10.0.0.1'] }));
  const { port } = new URL(server.url);
  const dialled: string[] = [];
  const door = new Connector({
    dnsServers: [dns.address],
    allowedPrivate: [],
    proxy: null,
    extraCa: [AUTHORITIES.root.pem],
    mapEndpoint: ({ address }) => {
      dialled.push(address);
      return { address: '127.0.0.1', port: Number(port) };
    },
  });
  const pool = new ConnectionPool(door, { trusted, connectMs });
  t.after(() => pool.destroy());
  const get = async (url: string) => readText(await httpGet(url, { pool }), 1000);
  return { get, dialled };
}

test('httpGet through the door: vetted, pinned, kept for the next request', { timeout }, async (t) => {
  const server = await serve(t, (request, response) => response.end(`${request.headers.host}`));
  const { get, dialled } = await getting(t, server);
  for (let i = 0; i < 5; i++) assert.equal(await get('http://site.example/'), 'site.example');
  assert.ok(server.connections <= 2, `${server.connections} connections`);
  assert.deepEqual(new Set(dialled), new Set([SITE]));
  const before = server.connections;
  for (const host of ['inside.example', '127.0.0.1', '[::1]', 'localhost', '0x7f.1']) {
    await assert.rejects(get(`http://${host}/`), { code: 'refused_address' }, host);
  }
  await assert.rejects(get('http://gone.example/'), { code: 'no_such_name' });
  assert.equal(server.connections, before);
});

test('redirects are vetted too', { timeout }, async (t) => {
  const server = await serve(t, (_request, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
  );
  const { get, dialled } = await getting(t, server);
  await assert.rejects(get('http://site.example/'), { code: 'refused_address' });
  assert.deepEqual(dialled, [SITE]);
});

test('addresses that the operator set are not vetted', { timeout }, async (t) => {
  const server = await serve(t, (_request, response) => response.end('mirror'));
  const { get } = await getting(t, server, { trusted: true });
  for (const host of ['10.1.2.3', 'inside.example', 'localhost']) assert.equal(await get(`http://${host}/`), 'mirror');
});

test('https, with the certificate checked', { timeout }, async (t) => {
  const http = createServer((_request, response) => response.end('secure'));
  const serveWith = (names: string[]) =>
    serveTls(t, [siteCertificate({ names }), AUTHORITIES.middle], {}, (socket) => http.emit('connection', socket));
  assert.equal(await (await getting(t, await serveWith(['site.example']))).get('https://site.example/'), 'secure');
  const wrong = await getting(t, await serveWith(['other.example']));
  await assert.rejects(wrong.get('https://site.example/'), { code: 'tls' });
});

test('connecting has its own bound', { timeout }, async (t) => {
  const silent = await serveRaw(t, () => {});
  const { get } = await getting(t, silent, { connectMs: 100 });
  await assert.rejects(get('https://site.example/'), { code: 'timeout' });
});
