import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { readOcspResponse } from '../../../src/sources/tls/ocsp-response.ts';
import { parseSctList } from '../../../src/sources/tls/sct-list.ts';
import { issue, keyFor, ocspGood, type Signer } from '../../lab/x509.ts';

const era = { from: -10, until: 100 };
const issuer: Signer = { name: 'Issuer', key: keyFor('ocsp issuer', 'p256') };
const stranger: Signer = { name: 'Issuer', key: keyFor('ocsp stranger', 'p256') };
const issuerCertificate = new X509Certificate(
  issue({ ...era, subject: 'Issuer', key: issuer.key, issuer, ca: true }).der,
);
const leaf = issue({
  ...era,
  subject: 'site.example',
  names: ['site.example'],
  key: keyFor('ocsp leaf', 'p256'),
  issuer,
});
const leafCertificate = new X509Certificate(leaf.der);

test('a response that says good, signed by the issuer, with its dates', () => {
  const { staple } = readOcspResponse(ocspGood(issuer, leaf.serial), leafCertificate, issuerCertificate);
  assert.deepEqual([staple.status, staple.signatureValid], ['good', true]);
  const week = Date.parse(staple.nextUpdate!) - Date.parse(staple.thisUpdate!);
  assert.equal(Math.round(week / 86_400_000), 7);
});

test('a response of somebody else, without the issuer, about another certificate, revoked, unreadable', () => {
  const forged = readOcspResponse(ocspGood(stranger, leaf.serial), leafCertificate, issuerCertificate);
  assert.deepEqual([forged.staple.status, forged.staple.signatureValid], ['good', false]);
  const alone = readOcspResponse(ocspGood(issuer, leaf.serial), leafCertificate, undefined);
  assert.equal(alone.staple.signatureValid, null);
  const other = readOcspResponse(ocspGood(issuer, leaf.serial + 1n), leafCertificate, issuerCertificate);
  assert.equal(other.staple.status, 'unreadable');
  const bytes = ocspGood(issuer, leaf.serial);
  for (let length = 0; length < bytes.length; length += 7) {
    const { staple } = readOcspResponse(bytes.subarray(0, length), leafCertificate, issuerCertificate);
    assert.equal(staple.status, 'unreadable');
  }
  // RFC 6960, 4.2.1: good is [0] NULL, revoked [1] with a time. The length is that of another NULL, so that the signature is what fails.
  const good = bytes.indexOf(Buffer.of(0x80, 0x00));
  const changed = Buffer.from(bytes);
  changed[good] = 0xa1;
  const revoked = readOcspResponse(changed, leafCertificate, issuerCertificate);
  assert.deepEqual([revoked.staple.status, revoked.staple.signatureValid], ['revoked', false]);
});

test('SCTs: log and time of each, up to where the list is broken', () => {
  const log = Buffer.alloc(32, 7);
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(Date.parse('2026-01-15T12:00:00Z')));
  // RFC 6962, 3.2: version, log, timestamp, extensions, then hash, signature algorithm and signature.
  const sct = Buffer.concat([Buffer.of(0), log, time, Buffer.of(0, 0, 4, 3, 0, 2, 1, 2)]);
  const entry = Buffer.concat([Buffer.of(0, sct.length), sct]);
  const list = Buffer.concat([Buffer.of(0, 2 * entry.length), entry, entry]);
  const expected = { from: 'tls', logId: '07'.repeat(32), loggedAt: '2026-01-15T12:00:00.000Z' };
  assert.deepEqual(parseSctList(list, 'tls'), [expected, expected]);
  assert.deepEqual(parseSctList(list.subarray(0, list.length - 1), 'tls'), [expected]);
  assert.deepEqual(parseSctList(Buffer.alloc(3), 'tls'), []);
});
