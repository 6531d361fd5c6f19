import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { type Lab, openLab } from '../lab/lab.ts';
import { startService, type TestService } from '../support/service.ts';

let lab: Lab;
let service: TestService;
const ends: (() => void | Promise<void>)[] = [];

before(async () => {
  lab = await openLab();
  const net = openNetworkClient({ ...lab.netOptions, allowedPrivate: [], proxy: null });
  ends.push(
    () => lab.close(),
    () => net.close(),
  );
  service = await startService({ after: (end) => ends.push(end) }, { net });
  // Certificates of the lab are of today, by the machine's clock.
  service.clock.now = new Date();
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

const ssl = async (host: string) => {
  const { status, body } = await service.get(`/v1/ssl/${host}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
// biome-ignore lint/suspicious/noExplicitAny: bodies of answers.
const capIds = (body: any): string[] => body.caps.map(({ id }: { id: string }) => id);

describe('a TLS server', () => {
  test('that is well kept has an A without caps', async () => {
    const body = await ssl('good.tls.lab');
    assert.deepEqual([body.valid, body.grade, body.caps, body.chain_status], [true, 'A', [], 'trusted']);
    assert.deepEqual([body.cert_valid, body.days_until_expiry], [body.valid, body.days_remaining]);
    assert.ok(body.san.includes('good.tls.lab'));
    assert.ok(body.chain.length >= 2 && body.chain[0].from === 'sent');
    assert.deepEqual(
      [body.protocols['TLS 1.0'], body.protocols['TLS 1.1'], body.protocols['TLS 1.2'], body.protocols['TLS 1.3']],
      [false, false, true, true],
    );
    assert.ok(body.days_remaining > 0);
    assert.equal(body.cipher.forward_secrecy, true);
    assert.equal(body.verdict.completeness, 'complete');
  });

  for (const [host, cap, valid, grade] of [
    ['expired.tls.lab', 'expired', false, 'F'],
    ['not-yet-valid.tls.lab', 'not_yet_valid', false, 'F'],
    ['self-signed.tls.lab', 'self_signed', false, 'F'],
    ['wrong-name.tls.lab', 'name_mismatch', false, 'F'],
    ['untrusted-root.tls.lab', 'unknown_issuer', false, 'F'],
    ['incomplete.tls.lab', 'incomplete_chain', true, 'B'],
    ['weak-key.tls.lab', 'small_key', true, 'B'],
    ['tls10.tls.lab', 'old_protocol', true, 'C'],
    ['tls11.tls.lab', 'no_tls12', true, 'C'],
    ['rsa-exchange.tls.lab', 'no_forward_secrecy', true, 'B'],
    ['must-staple-missing.tls.lab', 'must_staple_without_staple', true, 'F'],
    ['weak-ciphers.tls.lab', 'insecure_cipher', true, 'F'],
    ['sha1.tls.lab', 'weak_signature', true, 'F'],
  ] as const) {
    test(`${host}: ${cap}`, async () => {
      const body = await ssl(host);
      assert.ok(capIds(body).includes(cap), JSON.stringify(body.caps));
      assert.deepEqual([body.valid, body.grade], [valid, grade], JSON.stringify(body.caps));
    });
  }

  test('that does not send its intermediate is shown with the chain as built', async () => {
    const body = await ssl('incomplete.tls.lab');
    assert.deepEqual(
      body.chain.map(({ from }: { from: string }) => from),
      ['sent', 'fetched'],
    );
  });

  test('with a wildcard, and with a staple that the certificate demands', async () => {
    assert.equal((await ssl('any.wildcard.tls.lab')).valid, true);
    const stapled = await ssl('must-staple.tls.lab');
    assert.deepEqual([stapled.must_staple, stapled.ocsp_stapled, stapled.grade], [true, true, 'A']);
  });
});

test('suites without encryption and without authentication are named', async () => {
  const { caps } = await ssl('weak-ciphers.tls.lab');
  const cap = caps.find(({ id }: { id: string }) => id === 'insecure_cipher');
  assert.match(cap.reason, /without encryption \(TLS_RSA_WITH_NULL_SHA(256)?\)/);
  assert.match(cap.reason, /without authentication \(TLS_ECDH_anon_WITH_AES_128_CBC_SHA\)/);
});

describe('what is no TLS server', () => {
  for (const [domain, status, code] of [
    ['no-such-name-at-all.lab', 404, 'not_found'],
    ['private.lab', 400, 'invalid_argument'],
    ['servfail.dns.lab', 502, 'upstream_error'],
    ['127.0.0.1', 400, 'invalid_argument'],
    ['https:%2F%2Fgood.tls.lab', 400, 'invalid_argument'],
  ] as const) {
    test(`${domain} is ${status}`, async () => {
      const { body, ...reply } = await service.get(`/v1/ssl/${domain}`);
      assert.deepEqual([reply.status, body.error.code], [status, code], JSON.stringify(body));
      assert.ok(!JSON.stringify(body).includes('127.0.0.1') || domain === '127.0.0.1');
    });
  }
});
