import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { TlsOptions } from 'node:tls';
import type { HandshakeOptions } from '../../../src/net/tls/handshake-types.ts';
import type { Certificate } from '../../lab/x509.ts';
import { LATE_MS, allClosed, serveRaw } from '../servers.ts';
import { netTo, SITE } from '../site.ts';
import { AUTHORITIES, serveTls, siteCertificate, subjectsOf } from '../tls-server.ts';

const timeout = 120_000;
const bounds = { timeoutMs: 2000 };
const { root, middle, stranger } = AUTHORITIES;

/** A handshake with a server that presents `chain`. */
async function shake(
  t: TestContext,
  chain: readonly Certificate[],
  {
    server = {},
    client = {},
    extraCa = [] as string[],
    onSocket = undefined as Parameters<typeof serveTls>[3],
  } = {} as {
    server?: TlsOptions;
    client?: Partial<HandshakeOptions>;
    extraCa?: string[];
    onSocket?: Parameters<typeof serveTls>[3];
  },
) {
  const running = await serveTls(t, chain, server, onSocket);
  const { net, dialled } = await netTo(t, running, { extraCa });
  return { ...(await net.tlsHandshake('site.example', { ...bounds, ...client })), dialled, running };
}

for (const version of ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const) {
  test(`${version}: the chain as it was sent, in its order, with what does not belong to it`, {
    timeout,
  }, async (t) => {
    const chain = [siteCertificate(), stranger, middle];
    const server = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const client = { minVersion: version, maxVersion: version };
    const { certificates, protocol, address, dialled } = await shake(t, chain, { server, client });
    assert.equal(protocol, version);
    assert.deepEqual(
      certificates.map((der) => Buffer.from(der).toString('hex')),
      chain.map(({ der }) => der.toString('hex')),
    );
    assert.deepEqual([address, dialled], [SITE, [{ address: SITE, port: 443 }]]);
  });
}

for (const [suite, bits] of [
  ['TLS_AES_128_GCM_SHA256', 128],
  ['TLS_AES_256_GCM_SHA384', 256],
  ['TLS_CHACHA20_POLY1305_SHA256', 256],
] as const) {
  test(`${suite} hides no chain`, { timeout }, async (t) => {
    const server = { minVersion: 'TLSv1.3', ciphers: suite } as const;
    const { certificates, cipher } = await shake(t, [siteCertificate(), root], { server });
    assert.deepEqual(cipher, { name: suite, standardName: suite, bits });
    assert.deepEqual(subjectsOf(certificates), ['site.example', 'Root of this test']);
  });
}

test('a chain that is trusted here is not completed from what is trusted', { timeout }, async (t) => {
  const whole = await shake(t, [siteCertificate(), middle], { extraCa: [root.pem] });
  assert.equal(whole.authorizationError, null);
  assert.deepEqual(subjectsOf(whole.certificates), ['site.example', 'Middle of this test']);
  const incomplete = await shake(t, [siteCertificate()], { extraCa: [root.pem] });
  assert.equal(incomplete.authorizationError, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  assert.deepEqual(subjectsOf(incomplete.certificates), ['site.example']);
});

test('why a chain is not trusted, in the words of Node', { timeout }, async (t) => {
  const extraCa = [root.pem];
  const of = async (leaf: Certificate, client = {}) =>
    (await shake(t, [leaf, middle], { extraCa, client })).authorizationError;
  assert.equal(await of(siteCertificate({ from: -20, until: -1 })), 'CERT_HAS_EXPIRED');
  assert.equal(await of(siteCertificate({ from: 1, until: 20 })), 'CERT_NOT_YET_VALID');
  assert.equal(await of(siteCertificate({ names: ['other.example'] })), 'ERR_TLS_CERT_ALTNAME_INVALID');
  assert.equal(await of(siteCertificate({ names: ['other.example'] }), { serverName: 'other.example' }), null);
  assert.equal((await shake(t, [siteCertificate(), middle])).authorizationError, 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY');
});

test('server name, port, key exchange, weak cipher', { timeout }, async (t) => {
  const names: (string | false | null)[] = [];
  const server = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' } as const;
  const onSocket = (socket: { servername: string | false | null }) => names.push(socket.servername);
  const { keyExchange, cipher, dialled } = await shake(t, [siteCertificate()], {
    server,
    client: { port: 8443 },
    onSocket,
  });
  assert.deepEqual(keyExchange, { type: 'ECDH', name: 'X25519', bits: 253 });
  assert.deepEqual(cipher, {
    name: 'ECDHE-ECDSA-AES128-SHA',
    standardName: 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA',
    bits: 128,
  });
  assert.deepEqual([names, dialled[0]?.port], [['site.example'], 8443]);
});

test('an address has no server name', { timeout }, async (t) => {
  const names: (string | false | null)[] = [];
  const running = await serveTls(t, [siteCertificate()], {}, (socket) => names.push(socket.servername));
  const { net } = await netTo(t, running, { extraCa: [root.pem] });
  const { certificates, authorizationError } = await net.tlsHandshake(SITE, { ...bounds, maxVersion: 'TLSv1.2' });
  assert.deepEqual(subjectsOf(certificates), ['site.example']);
  assert.notEqual(authorizationError, null);
  assert.deepEqual(names, [false]);
  assert.ok(await allClosed(running));
});

test('a stapled OCSP response', { timeout }, async (t) => {
  const response = Buffer.from('3003020100', 'hex');
  const running = await serveTls(t, [siteCertificate()]);
  const { net } = await netTo(t, running);
  assert.equal((await net.tlsHandshake('site.example', bounds)).ocspResponse, null);
  running.server.on('OCSPRequest', (_leaf, _issuer, respond) => respond(null, response));
  assert.deepEqual(Buffer.from((await net.tlsHandshake('site.example', bounds)).ocspResponse!), response);
});

test('versions that the server does not speak, and what is no TLS, are errors', { timeout }, async (t) => {
  const server = { minVersion: 'TLSv1.3' } as const;
  const running = await serveTls(t, [siteCertificate()], server);
  const { net } = await netTo(t, running);
  await assert.rejects(net.tlsHandshake('site.example', { ...bounds, maxVersion: 'TLSv1.2' }), { code: 'tls' });
  const plain = await serveRaw(t, () => {});
  plain.server.on('connection', (socket: import('node:net').Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await assert.rejects((await netTo(t, plain)).net.tlsHandshake('site.example', bounds), { code: 'tls' });
  const closing = await serveRaw(t, () => {});
  closing.server.on('connection', (socket: import('node:net').Socket) => socket.destroy());
  await assert.rejects((await netTo(t, closing)).net.tlsHandshake('site.example', bounds), { code: 'reset' });
  const silent = await serveRaw(t, () => {});
  const start = performance.now();
  await assert.rejects((await netTo(t, silent)).net.tlsHandshake('site.example', { timeoutMs: 100 }), {
    code: 'timeout',
  });
  assert.ok(performance.now() - start < LATE_MS);
  assert.ok(await allClosed(silent));
  await assert.rejects(net.tlsHandshake('site.example', { ...bounds, ciphers: 'no-such-cipher' }), { code: 'tls' });
});
