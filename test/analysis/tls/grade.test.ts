import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CertificateFacts, TlsFacts, TlsVersion } from '../../../src/analysis/tls/tls-facts.ts';
import { tlsGradeOfScore, gradeTls } from '../../../src/analysis/tls/grade-tls.ts';

const NOW = new Date('2026-01-15T00:00:00Z');
const LEAF: CertificateFacts = {
  commonName: 'site.example',
  organization: null,
  issuerName: 'An authority',
  issuerOrganization: null,
  notBefore: '2025-12-01T00:00:00.000Z',
  notAfter: '2026-03-01T00:00:00.000Z',
  names: ['site.example'],
  serial: '01',
  fingerprint256: 'a',
  key: { type: 'rsa', bits: 4096 },
  signatureAlgorithm: 'sha256WithRSAEncryption',
  selfSigned: false,
  mustStaple: false,
  hasScts: true,
  from: 'sent',
  place: 0,
};
const GOOD: TlsFacts = {
  negotiated: { protocol: 'TLSv1.3', cipher: '', standardCipher: 'TLS_AES_256_GCM_SHA384', bits: 256 },
  keyExchange: { type: 'ECDH', name: 'secp384r1', bits: 384 },
  protocols: { TLSv1: false, 'TLSv1.1': false, 'TLSv1.2': true, 'TLSv1.3': true },
  takesStaticRsa: false,
  takesOnlyCbc: false,
  insecure: { taken: [], complete: true },
  chain: [LEAF],
  chainOmitted: 0,
  trust: 'trusted',
  issuerUnknown: false,
  nameMatches: true,
  ocspStapled: false,
  latencyMs: 1,
};
const versions = (...taken: TlsVersion[]) => ({
  TLSv1: taken.includes('TLSv1'),
  'TLSv1.1': taken.includes('TLSv1.1'),
  'TLSv1.2': taken.includes('TLSv1.2'),
  'TLSv1.3': taken.includes('TLSv1.3'),
});
const key = (bits: number, type = 'rsa') => ({ chain: [{ ...LEAF, key: { type, bits } }] });
const cipher = (bits: number) => ({ negotiated: { ...GOOD.negotiated, bits } });

// SSL Labs server rating guide 2009r, table 2.
for (const [score, grade] of [
  [100, 'A'],
  [80, 'A'],
  [79, 'B'],
  [65, 'B'],
  [64, 'C'],
  [50, 'C'],
  [49, 'D'],
  [35, 'D'],
  [34, 'F'],
  [0, 'F'],
] as const) {
  test(`a score of ${score} is ${grade}`, () => assert.equal(tlsGradeOfScore(score), grade));
}

// The guide's tables 3 (protocols), 4 (key exchange) and 5 (ciphers).
describe('points', () => {
  for (const [what, facts, protocol, exchange, strength] of [
    ['the best', {}, 100, 100, 100],
    ['TLS 1.1 to 1.2', { protocols: versions('TLSv1.1', 'TLSv1.2') }, 97.5, 100, 100],
    ['TLS 1.0 to 1.3', { protocols: versions('TLSv1', 'TLSv1.3') }, 95, 100, 100],
    ['RSA 4095', key(4095), 100, 90, 100],
    ['RSA 2048', key(2048), 100, 90, 100],
    ['RSA 2047', key(2047), 100, 80, 100],
    ['RSA 1024', key(1024), 100, 80, 100],
    ['RSA 1023', key(1023), 100, 40, 100],
    ['RSA 512', key(512), 100, 40, 100],
    ['RSA 511', key(511), 100, 20, 100],
    ['ECDSA P-256', key(256, 'ec'), 100, 90, 100],
    ['ECDSA P-384', key(384, 'ec'), 100, 100, 100],
    ['ECDSA P-224', key(224, 'ec'), 100, 90, 100],
    ['a group of 2047 bits', { keyExchange: { type: 'DH', name: null, bits: 2047 } }, 100, 80, 100],
    ['a group of 2048 bits', { keyExchange: { type: 'DH', name: null, bits: 2048 } }, 100, 90, 100],
    ['256 bits', cipher(256), 100, 100, 100],
    ['255 bits', cipher(255), 100, 100, 80],
    ['128 bits', cipher(128), 100, 100, 80],
    ['127 bits', cipher(127), 100, 100, 20],
    ['no encryption', cipher(0), 100, 100, 0],
  ] as [string, Partial<TlsFacts>, number, number, number][]) {
    test(what, () => {
      const { components } = gradeTls({ ...GOOD, ...facts }, NOW);
      assert.deepEqual(components, { protocol, key_exchange: exchange, cipher: strength });
    });
  }
});

describe('caps', () => {
  for (const [what, facts, caps, grade] of [
    ['nothing', {}, [], 'A'],
    ['RSA of 2048 bits', key(2048), [], 'A'],
    ['RSA of 2047 bits', key(2047), ['small_key'], 'B'],
    ['RSA of 1024 bits', key(1024), ['small_key'], 'B'],
    ['RSA of 1023 bits', key(1023), ['weak_key'], 'F'],
    ['a key of unknown size', key(null as unknown as number), [], 'A'],
    ['ends this moment', { chain: [{ ...LEAF, notAfter: NOW.toISOString() }] }, [], 'A'],
    ['ended a second ago', { chain: [{ ...LEAF, notAfter: '2026-01-14T23:59:59Z' }] }, ['expired'], 'F'],
    ['begins this moment', { chain: [{ ...LEAF, notBefore: NOW.toISOString() }] }, [], 'A'],
    ['begins in a second', { chain: [{ ...LEAF, notBefore: '2026-01-15T00:00:01Z' }] }, ['not_yet_valid'], 'F'],
    ['an expired stray', { chain: [LEAF, { ...LEAF, place: null, notAfter: '2020-01-01T00:00:00Z' }] }, [], 'A'],
    ['an expired issuer', { chain: [LEAF, { ...LEAF, place: 1, notAfter: '2020-01-01T00:00:00Z' }] }, ['expired'], 'F'],
    ['TLS 1.0 beside 1.2', { protocols: versions('TLSv1', 'TLSv1.2') }, ['old_protocol'], 'B'],
    ['TLS 1.2 and 1.3 not found out', { protocols: { ...versions(), 'TLSv1.2': null } }, [], 'A'],
    ['neither TLS 1.2 nor 1.3', { protocols: versions('TLSv1.1') }, ['no_tls12', 'old_protocol'], 'C'],
    ['NULL', { insecure: { taken: [{ weakness: 'null', suite: 'S' }], complete: true } }, ['insecure_cipher'], 'F'],
    ['3DES', { insecure: { taken: [{ weakness: 'small_block', suite: 'S' }], complete: true } }, ['weak_cipher'], 'C'],
    ['RC4', { insecure: { taken: [{ weakness: 'rc4', suite: 'S' }], complete: false } }, ['weak_cipher'], 'C'],
    [
      'RC4 agreed on',
      { negotiated: { ...GOOD.negotiated, standardCipher: 'TLS_RSA_WITH_RC4_128_SHA' } },
      ['weak_cipher'],
      'C',
    ],
    ['no certificate', { chain: [], trust: 'unknown_issuer', nameMatches: false }, ['no_certificate'], 'F'],
    ['a group of 2047 bits', { keyExchange: { type: 'DH', name: null, bits: 2047 } }, ['small_key_exchange'], 'B'],
    ['a group of 2048 bits', { keyExchange: { type: 'DH', name: null, bits: 2048 } }, [], 'A'],
  ] as [string, Partial<TlsFacts>, string[], string][]) {
    test(`${what}: ${grade}`, () => {
      const found = gradeTls({ ...GOOD, ...facts }, NOW);
      assert.deepEqual(
        found.caps.map(({ id }) => id),
        caps,
      );
      assert.equal(found.grade, grade);
    });
  }
});
