import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { INSECURE_SUITES, findSuiteWeaknesses } from '../../../src/analysis/tls/insecure-suites.ts';
import { gradeTls } from '../../../src/analysis/tls/grade-tls.ts';
import { parseChosenSuite, encodeClientHello } from '../../../src/net/tls/client-hello.ts';
import { tls } from '../../../src/sources/tls/tls.ts';
import { allClosed, listen } from '../servers.ts';
import { contextOver, netTo } from '../site.ts';
import { AUTHORITIES, serveTls, siteCertificate } from '../tls-server.ts';

const timeout = 120_000;
const bounds = { timeoutMs: 3000, version: 'TLSv1.2' } as const;

/** RFC 5246, 7.4.1.3: version, random, session id, suite, no compression; a warning about the server name before it. */
function serverHello(suite: number, version = 0x0303): Buffer {
  const body = Buffer.alloc(2 + 32 + 1 + 32 + 2 + 1);
  body.writeUInt16BE(version, 0);
  body[34] = 32;
  body.writeUInt16BE(suite, 67);
  const message = Buffer.concat([Buffer.of(2, 0, 0, body.length), body]);
  const warning = Buffer.of(21, 3, 3, 0, 2, 1, 112);
  return Buffer.concat([warning, Buffer.of(22, 3, 3, 0, message.length), message]);
}
const REFUSAL = Buffer.of(21, 3, 3, 0, 2, 2, 40);

/** What a ClientHello offers (RFC 5246, 7.4.1.2). */
function offered(hello: Buffer): { version: number; suites: number[] } {
  const session = 5 + 4 + 2 + 32;
  const at = session + 1 + hello[session]!;
  const length = hello.readUInt16BE(at);
  return {
    version: hello.readUInt16BE(9),
    suites: Array.from({ length: length / 2 }, (_, index) => hello.readUInt16BE(at + 2 + index * 2)),
  };
}

/** A server that answers each ClientHello with the bytes that `answer` gives; null: it closes. */
async function serveHellos(t: TestContext, answer: (hello: { version: number; suites: number[] }) => Buffer | null) {
  const server = createServer((socket: Socket) => {
    socket.once('data', (data: Buffer) => {
      const bytes = answer(offered(data));
      if (bytes === null) socket.destroy();
      else socket.write(bytes);
    });
  });
  return listen(t, server);
}

for (const [name, id] of [
  ['NULL', 0x003b],
  ['anonymous', 0xc018],
  ['EXPORT', 0x0008],
  ['DES', 0x0009],
  ['RC4', 0xc011],
  ['3DES', 0x000a],
] as const) {
  test(`${name}: what a server chooses is told, by its number`, { timeout }, async (t) => {
    const running = await serveHellos(t, ({ suites }) => (suites.includes(id) ? serverHello(id) : REFUSAL));
    const { net } = await netTo(t, running);
    const suites = Object.keys(INSECURE_SUITES).map(Number);
    assert.equal(await net.offerCipherSuites('site.example', { ...bounds, suites }), id);
    const rest = suites.filter((suite) => suite !== id);
    assert.equal(await net.offerCipherSuites('site.example', { ...bounds, suites: rest }), null);
    assert.ok(await allClosed(running));
  });
}

test('an answer in pieces, a refusal by closing, what is no TLS, a suite that was not offered, silence', {
  timeout,
}, async (t) => {
  const whole = serverHello(0x000a);
  for (let length = 0; length < whole.length - 1; length++)
    assert.equal(parseChosenSuite(whole.subarray(0, length)), null);
  assert.equal(parseChosenSuite(whole), 0x000a);
  const ask = async (answer: Buffer | null) => {
    const { net } = await netTo(t, await serveHellos(t, () => answer));
    return net.offerCipherSuites('site.example', { ...bounds, timeoutMs: 500, suites: [0x000a] });
  };
  assert.equal(await ask(null), null);
  assert.equal(await ask(REFUSAL), null);
  await assert.rejects(ask(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')), { code: 'tls' });
  await assert.rejects(ask(serverHello(0x0005)), { code: 'tls' });
  await assert.rejects(ask(Buffer.alloc(0)), { code: 'timeout' });
  const endless = Buffer.concat(Array.from({ length: 10_000 }, () => Buffer.of(21, 3, 3, 0, 2, 1, 112)));
  await assert.rejects(ask(endless), { code: 'tls' });
});

test('a ClientHello that OpenSSL answers: an offered suite that it has, and a refusal', { timeout }, async (t) => {
  const server = { ciphers: 'ECDHE-ECDSA-NULL-SHA:AECDH-AES128-SHA:@SECLEVEL=0', maxVersion: 'TLSv1.2' } as const;
  const { net } = await netTo(t, await serveTls(t, [siteCertificate()], server));
  assert.equal(await net.offerCipherSuites('site.example', { ...bounds, suites: [0x0001, 0xc006] }), 0xc006);
  assert.equal(await net.offerCipherSuites('site.example', { ...bounds, suites: [0xc018] }), 0xc018);
  assert.equal(await net.offerCipherSuites('site.example', { ...bounds, suites: [0x0001] }), null);
  assert.equal(
    encodeClientHello({ serverName: '192.0.2.1', version: 0x0303, suites: [1] }).includes('192.0.2.1'),
    false,
  );
});

test('the numbers are those of the registry, and each suite has a weakness', () => {
  // IANA, TLS Cipher Suites, one of each block.
  assert.equal(INSECURE_SUITES[0x0017], 'TLS_DH_anon_EXPORT_WITH_RC4_40_MD5');
  assert.equal(INSECURE_SUITES[0x003b], 'TLS_RSA_WITH_NULL_SHA256');
  assert.equal(INSECURE_SUITES[0xc012], 'TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA');
  for (const suite of Object.values(INSECURE_SUITES)) assert.notDeepEqual(findSuiteWeaknesses(suite), [], suite);
  for (const fine of ['TLS_RSA_WITH_AES_128_CBC_SHA', 'TLS_AES_128_GCM_SHA256'])
    assert.deepEqual(findSuiteWeaknesses(fine), []);
});

for (const [ciphers, caps, grade] of [
  ['ECDHE-ECDSA-NULL-SHA', ['insecure_cipher'], 'F'],
  ['AECDH-AES256-SHA', ['no_certificate', 'insecure_cipher'], 'F'],
  ['AECDH-NULL-SHA', ['no_certificate', 'insecure_cipher'], 'F'],
  ['ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-NULL-SHA', ['insecure_cipher'], 'F'],
  ['ECDHE-ECDSA-AES128-GCM-SHA256', [], 'A'],
] as const) {
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    test(`a server up to ${maxVersion} with ${ciphers}`, { timeout }, async (t) => {
      const server = { ciphers: `${ciphers}:@SECLEVEL=0`, maxVersion, honorCipherOrder: true };
      const running = await serveTls(t, [siteCertificate(), AUTHORITIES.middle], server);
      const { net } = await netTo(t, running, { extraCa: [AUTHORITIES.root.pem] });
      const facts = await tls.ask({ host: 'site.example', port: 443, certificateOnly: false }, contextOver(net));
      const found = gradeTls(facts, new Date());
      // A certificate is there where TLS 1.3 is spoken.
      const expected = caps.filter((id) => maxVersion === 'TLSv1.2' || id !== 'no_certificate');
      const ids = found.caps.map(({ id }) => id);
      assert.deepEqual(
        ids.filter((id) => /certificate|cipher/.test(id)),
        expected,
      );
      assert.deepEqual([found.grade, facts.insecure.complete], [grade, true], JSON.stringify(found.caps));
    });
  }
}

test('a server that takes one suite of each weakness: each is found, over several ClientHellos', {
  timeout,
}, async (t) => {
  const has = [0x003b, 0x0034, 0x0008, 0x0009, 0x0005, 0x000a];
  const asked: number[] = [];
  const running = await serveHellos(t, ({ version, suites }) => {
    asked.push(version);
    const chosen = version === 0x0303 ? has.find((suite) => suites.includes(suite)) : undefined;
    return chosen === undefined ? REFUSAL : serverHello(chosen);
  });
  const real = await serveTls(t, [siteCertificate(), AUTHORITIES.middle]);
  const { net } = await netTo(t, real);
  const raw = await netTo(t, running);
  const facts = await tls.ask(
    { host: 'site.example', port: 443, certificateOnly: false },
    contextOver({ ...net, offerCipherSuites: raw.net.offerCipherSuites }),
  );
  const weaknesses = facts.insecure.taken.map(({ weakness }) => weakness).toSorted();
  assert.deepEqual(weaknesses, ['anonymous', 'des', 'export', 'null', 'rc4', 'small_block']);
  assert.ok(asked.length <= 8, String(asked.length));
});
