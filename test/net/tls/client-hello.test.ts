import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { encodeClientHello, type HelloOffer } from '../../../src/net/tls/client-hello.ts';
import { parseServerFlight } from '../../../src/net/tls/server-flight.ts';
import { parseSsl2Hello } from '../../../src/net/tls/ssl2-hello.ts';
import { createRawTlsServer, type RawTlsPlan } from '../../lab/raw-tls-server.ts';
import { allClosed, listen } from '../servers.ts';
import { netTo } from '../site.ts';
import { AUTHORITIES, serveTls, siteCertificate } from '../tls-server.ts';

const timeout = 120_000;
const bounds = { timeoutMs: 3000 };
const REFUSAL = Buffer.of(21, 3, 3, 0, 2, 2, 40);
const WARNING = Buffer.of(21, 3, 3, 0, 2, 1, 112);
const offerOf = (suites: readonly number[], more: object = {}): HelloOffer => ({
  version: 'TLSv1.2',
  suites,
  groups: [0x001d, 0x0017],
  signatureSchemes: [0x0403, 0x0804, 0x0401],
  ...more,
});

/** RFC 5246, 7.4.1.3: version, random, session id, suite, no compression; then ServerHelloDone; a warning before it. */
function serverHello(suite: number): Buffer {
  const body = Buffer.alloc(2 + 32 + 1 + 32 + 2 + 1);
  body.writeUInt16BE(0x0303, 0);
  body[34] = 32;
  body.writeUInt16BE(suite, 67);
  const messages = Buffer.concat([Buffer.of(2, 0, 0, body.length), body, Buffer.of(14, 0, 0, 0)]);
  return Buffer.concat([WARNING, Buffer.of(22, 3, 3, 0, messages.length), messages]);
}

async function rawNet(t: TestContext, plan: RawTlsPlan) {
  const running = await listen(t, createRawTlsServer(plan));
  return { running, ...(await netTo(t, running)) };
}

for (const [name, suite] of [
  ['NULL', 0x003b],
  ['EXPORT', 0x0008],
  ['DES', 0x0009],
  ['RC4', 0xc011],
  ['3DES', 0x000a],
] as const) {
  test(`${name}: what a server chooses is told by its number`, { timeout }, async (t) => {
    const { net, running } = await rawNet(t, { suites: { 0x0303: [suite] }, certificates: [AUTHORITIES.middle.der] });
    const found = await net.sendClientHello('site.example', { ...bounds, hello: offerOf([0x0001, suite, 0x0002]) });
    assert.deepEqual([found.outcome, found.hello?.suite, found.hello?.version], ['hello', suite, 0x0303]);
    assert.deepEqual(Buffer.from(found.certificates[0]!), AUTHORITIES.middle.der);
    const other = await net.sendClientHello('site.example', { ...bounds, hello: offerOf([0x0001]) });
    assert.deepEqual([other.outcome, other.alert, other.hello], ['refused', 40, null]);
    assert.ok(await allClosed(running));
  });
}

test('an answer in pieces, a refusal by closing, what is no TLS, a suite that was not offered, silence', {
  timeout,
}, async (t) => {
  const whole = serverHello(0x000a);
  for (let length = 0; length < whole.length; length++)
    assert.equal(parseServerFlight(whole.subarray(0, length), false), null);
  assert.equal(parseServerFlight(whole, false)?.hello?.suite, 0x000a);
  const ask = async (answer: Buffer | null) => {
    const server = createServer((socket: Socket) => {
      socket.once('data', () => (answer === null ? socket.destroy() : socket.write(answer)));
    });
    const { net } = await netTo(t, await listen(t, server));
    return net.sendClientHello('site.example', { timeoutMs: 500, hello: offerOf([0x000a]) });
  };
  assert.deepEqual([(await ask(null)).outcome, (await ask(null)).alert], ['refused', null]);
  assert.deepEqual([(await ask(REFUSAL)).outcome, (await ask(REFUSAL)).alert], ['refused', 40]);
  await assert.rejects(ask(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')), { code: 'tls' });
  await assert.rejects(ask(serverHello(0x0005)), { code: 'tls' });
  await assert.rejects(ask(Buffer.alloc(0)), { code: 'timeout' });
  await assert.rejects(ask(Buffer.concat(Array.from({ length: 20_000 }, () => WARNING))), { code: 'tls' });
});

test('no prefix and no changed byte of a flight does more than throw RangeError', () => {
  const whole = serverHello(0x000a);
  for (let at = 0; at < whole.length; at++) {
    for (const byte of [0, 1, 0x7f, 0xff]) {
      const changed = Buffer.from(whole);
      changed[at] = byte;
      for (const parse of [parseServerFlight, parseSsl2Hello]) {
        try {
          parse(changed, true);
        } catch (error) {
          assert.ok(error instanceof RangeError, String(error));
        }
      }
    }
  }
});

test('OpenSSL answers our ClientHello: suite, group, signature, ALPN, features', { timeout }, async (t) => {
  const running = await serveTls(t, [siteCertificate(), AUTHORITIES.middle], {
    maxVersion: 'TLSv1.2',
    ALPNProtocols: ['h2'],
  });
  const { net } = await netTo(t, running);
  const hello = offerOf([0xc02b, 0xc009], { alpn: ['http/1.1', 'h2'], features: true, compression: true });
  const found = await net.sendClientHello('site.example', { ...bounds, hello });
  assert.equal(found.certificates.length, 2);
  assert.deepEqual(
    [
      found.hello?.suite,
      found.keyExchange?.group,
      found.keyExchange?.signatureScheme,
      found.hello?.alpn,
      found.hello?.compression,
    ],
    [0xc02b, 0x001d, 0x0403, 'h2', 0],
  );
  // RFC 5746, 7627, 5077: secure renegotiation, extended master secret, ticket.
  for (const type of [0xff01, 23, 35]) assert.ok(found.hello!.extensions.has(type), String(type));
});

test('TLS 1.3 without a share: OpenSSL names suite and group; with a share the whole flight is read', {
  timeout,
}, async (t) => {
  const running = await serveTls(t, [siteCertificate(), AUTHORITIES.middle], {
    minVersion: 'TLSv1.3',
    ecdhCurve: 'X25519MLKEM768:X25519:P-384',
    ALPNProtocols: ['h2'],
  });
  const { net } = await netTo(t, running);
  const tls13 = { version: 'TLSv1.3', groups: [0x11ec, 0x001d, 0x0018] } as const;
  const retry = await net.sendClientHello('site.example', { ...bounds, hello: offerOf([0x1301], tls13) });
  assert.deepEqual(
    [retry.hello?.isRetry, retry.hello?.version, retry.hello?.suite, retry.hello?.group],
    [true, 0x0304, 0x1301, 0x11ec],
  );
  for (const suite of [0x1301, 0x1302, 0x1303]) {
    for (const group of [0x001d, 0x0018]) {
      const share = { ...tls13, groups: [group], keyShareGroup: group, alpn: ['h2'], features: true };
      const found = await net.sendClientHello('site.example', { ...bounds, hello: offerOf([suite], share) });
      assert.deepEqual([found.hello?.suite, found.hello?.group, found.hello?.alpn], [suite, group, 'h2']);
      assert.deepEqual([found.certificates.length, found.keyExchange?.signatureScheme], [2, 0x0403]);
    }
  }
});

test('SSL 2: what a server lists, and a refusal', { timeout }, async (t) => {
  const { net } = await rawNet(t, { suites: {}, ssl2: [0x010080, 0x0700c0], certificates: [AUTHORITIES.root.der] });
  const found = await net.sendClientHello('site.example', { ...bounds, hello: { version: 'SSLv2' } });
  assert.deepEqual([found.outcome, found.ssl2Suites, found.certificates.length], ['hello', [0x010080, 0x0700c0], 1]);
  const openssl = await netTo(t, await serveTls(t, [siteCertificate()]));
  const refused = await openssl.net.sendClientHello('site.example', { ...bounds, hello: { version: 'SSLv2' } });
  assert.equal(refused.outcome, 'refused');
});

test('a ClientHello names no address, and none is between 256 and 511 bytes long', () => {
  for (let count = 1; count < 250; count += 3) {
    const suites = Array.from({ length: count }, (_, index) => index);
    const more = { groups: [29], signatureSchemes: [0x0403], suites } as const;
    const bytes = encodeClientHello({ ...more, version: 'TLSv1.2', serverName: '192.0.2.1' });
    assert.equal(bytes.includes('192.0.2.1'), false);
    // RFC 7685 counts the message, without the header of its record.
    const length = bytes.length - 5;
    assert.ok(length < 256 || length > 511, String(length));
  }
});
