import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TlsFacts } from '../../../src/analysis/tls/tls-facts.ts';
import { judgeAttacks } from '../../../src/analysis/tls/attacks.ts';
import { tlsGradeOfScore, gradeTls } from '../../../src/analysis/tls/grade-tls.ts';
import { GOOD_CONFIGURATION, GOOD_FACTS, GOOD_LEAF, suite, takes } from './good-facts.ts';

const NOW = new Date('2026-01-15T00:00:00Z');
const LEAF = GOOD_LEAF;
const GOOD = GOOD_FACTS;
const key = (bits: number, type = 'rsa') => ({ chain: [{ ...LEAF, key: { type, bits } }] });
const AEAD = suite('TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384');
const STAPLE = { status: 'good', thisUpdate: null, nextUpdate: null, signatureValid: true } as const;
const settings = (changed: Partial<typeof GOOD_CONFIGURATION>) => ({
  configuration: { ...GOOD_CONFIGURATION, ...changed },
});
const group = (bits: number) => ({
  suites: [suite('TLS_DHE_RSA_WITH_AES_256_GCM_SHA384', 'TLSv1.2', { bits, known: null })],
});
const cipher = (bits: number) => ({ negotiated: { ...GOOD.negotiated, bits }, suites: [] });

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
    ['TLS 1.1 to 1.2', { protocols: takes('TLSv1.1', 'TLSv1.2') }, 97.5, 100, 100],
    ['TLS 1.0 to 1.3', { protocols: takes('TLSv1', 'TLSv1.3') }, 95, 100, 100],
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
    ['SSL 3 to TLS 1.2', { protocols: takes('SSLv3', 'TLSv1.2') }, 90, 100, 100],
    ['SSL 2 to TLS 1.2', { protocols: takes('SSLv2', 'TLSv1.2') }, 50, 100, 100],
    // The mean of the strongest and the weakest.
    ['AES-128 beside AES-256', { suites: [suite('TLS_RSA_WITH_AES_128_GCM_SHA256')] }, 100, 100, 90],
    ['DES beside AES-256', { suites: [suite('TLS_RSA_WITH_DES_CBC_SHA')] }, 100, 100, 60],
    ['an anonymous suite', { suites: [suite('TLS_DH_anon_WITH_AES_256_CBC_SHA')] }, 100, 0, 100],
    ['an export suite', { suites: [suite('TLS_RSA_EXPORT_WITH_RC4_40_MD5')] }, 100, 40, 60],
    [
      'a group of 1024 bits beside others',
      { suites: [suite('TLS_DHE_RSA_WITH_AES_256_GCM_SHA384', 'TLSv1.2', { bits: 1024, known: null })] },
      100,
      80,
      100,
    ],
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
    ['TLS 1.0 beside 1.2', { protocols: takes('TLSv1', 'TLSv1.2') }, ['old_protocol'], 'B'],
    ['TLS 1.2 and 1.3 not found out', { protocols: { ...takes(), 'TLSv1.2': null } }, [], 'A'],
    ['neither TLS 1.2 nor 1.3', { protocols: takes('TLSv1.1') }, ['no_tls12', 'old_protocol'], 'C'],
    ['NULL', { suites: [suite('TLS_RSA_WITH_NULL_SHA'), AEAD] }, ['insecure_cipher'], 'F'],
    ['3DES', { suites: [suite('TLS_RSA_WITH_3DES_EDE_CBC_SHA'), AEAD] }, ['weak_cipher'], 'C'],
    ['3DES with TLS 1.0 alone', { suites: [suite('TLS_RSA_WITH_3DES_EDE_CBC_SHA', 'TLSv1'), AEAD] }, [], 'A'],
    ['RC4', { suites: [suite('TLS_RSA_WITH_RC4_128_SHA'), AEAD], suitesComplete: false }, ['weak_cipher'], 'C'],
    ['RC4 with TLS 1.0 alone', { suites: [suite('TLS_RSA_WITH_RC4_128_SHA', 'TLSv1'), AEAD] }, ['rc4'], 'B'],
    ['SSL 2', { protocols: takes('SSLv2', 'TLSv1.2') }, ['ssl2'], 'F'],
    ['SSL 3 beside TLS 1.2, with RC4', { protocols: takes('SSLv3', 'TLSv1.2') }, ['old_protocol'], 'B'],
    [
      'SSL 3 with CBC',
      { protocols: takes('SSLv3', 'TLSv1.2'), suites: [suite('TLS_RSA_WITH_AES_128_CBC_SHA', 'SSLv3'), AEAD] },
      ['ssl3_poodle', 'old_protocol'],
      'C',
    ],
    ['SSL 3 alone', { protocols: takes('SSLv3') }, ['ssl3_only', 'no_tls12', 'old_protocol'], 'F'],
    ['compression', settings({ compression: true }), ['compression'], 'C'],
    [
      'no secure renegotiation',
      settings({ renegotiation: { secure: false, clientInitiated: false } }),
      ['insecure_renegotiation'],
      'F',
    ],
    ['renegotiation not known', settings({ renegotiation: { secure: null, clientInitiated: null } }), [], 'A'],
    [
      'CBC alone',
      {
        suites: [suite('TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA')],
        negotiated: { ...GOOD.negotiated, standardCipher: 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA' },
      },
      ['no_aead'],
      'B',
    ],
    ['a group of 1023 bits', group(1023), ['broken_key_exchange'], 'F'],
    ['a group of 1024 bits', group(1024), ['small_key_exchange'], 'B'],
    ['a staple that says revoked', { staple: { ...STAPLE, status: 'revoked' } }, ['revoked'], 'F'],
    [
      'a staple that says revoked, signed by nobody',
      { staple: { ...STAPLE, status: 'revoked', signatureValid: false } },
      [],
      'A',
    ],
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

test('no attack is possible on a server that is well kept, and what only an attack could tell is not known', () => {
  const found = judgeAttacks(GOOD)!;
  assert.deepEqual(
    found.filter(({ vulnerable }) => vulnerable === true),
    [],
  );
  assert.deepEqual(
    found.filter(({ vulnerable }) => vulnerable === null).map(({ name }) => name),
    ['BREACH', 'CCS injection'],
  );
  assert.equal(judgeAttacks({ ...GOOD, configuration: null }), null);
});

test('an attack is not denied where not all suites were tried', () => {
  const found = judgeAttacks({ ...GOOD, suitesComplete: false, protocols: { ...takes('TLSv1.2'), SSLv3: null } })!;
  const denied = found.filter(({ vulnerable }) => vulnerable === false).map(({ name }) => name);
  for (const name of ['POODLE', 'SWEET32', 'FREAK', 'Logjam', 'RC4', 'ROBOT']) assert.ok(!denied.includes(name), name);
});
