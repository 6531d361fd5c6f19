import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { getDiffieHellman } from 'node:crypto';
import { test } from 'node:test';
import { describeDhPrime } from '../../../src/analysis/tls/dh-primes.ts';
import { findNamedGroup, isPostQuantum } from '../../../src/analysis/tls/named-groups.ts';
import { opensslSuiteName } from '../../../src/analysis/tls/openssl-suite-name.ts';
import { isTls13Scheme, signatureSchemeName } from '../../../src/analysis/tls/signature-schemes.ts';
import { SUITE_NAMES, suiteName } from '../../../src/analysis/tls/suite-names.ts';
import {
  authenticationOf,
  findSuiteWeaknesses,
  firstVersionOf,
  hasForwardSecrecy,
  keyExchangeOf,
  suiteKeyBits,
  suiteStrength,
} from '../../../src/analysis/tls/suite-properties.ts';

test('numbers and names are those of the registry', () => {
  // IANA, TLS Cipher Suites: some of each block.
  for (const [code, name] of [
    [0x0000, 'TLS_NULL_WITH_NULL_NULL'],
    [0x0017, 'TLS_DH_anon_EXPORT_WITH_RC4_40_MD5'],
    [0x003b, 'TLS_RSA_WITH_NULL_SHA256'],
    [0x00c6, 'TLS_SM4_GCM_SM3'],
    [0x1301, 'TLS_AES_128_GCM_SHA256'],
    [0xc012, 'TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA'],
    [0xc0b4, 'TLS_SHA256_SHA256'],
    [0xc0aa, 'TLS_PSK_DHE_WITH_AES_128_CCM_8'],
    [0xcca8, 'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256'],
    [0x0a0a, 'TLS_UNKNOWN_0A0A'],
  ] as const)
    assert.equal(suiteName(code), name);
  assert.equal(new Set(SUITE_NAMES.values()).size, SUITE_NAMES.size);
});

const listed = spawnSync('openssl', ['ciphers', '-V', '-stdname', 'ALL:COMPLEMENTOFALL:@SECLEVEL=0'], {
  encoding: 'utf8',
});
const NO_OPENSSL = (listed.error !== undefined || listed.status !== 0) && 'no openssl';

test('what OpenSSL says of each of its suites: number, both names, key length, key exchange, authentication', {
  skip: NO_OPENSSL,
}, () => {
  const rows = listed.stdout.trim().split('\n');
  assert.ok(rows.length > 100);
  for (const row of rows) {
    const [, high, low, name, openssl, exchange, by, bits] =
      /^\s*0x(..),0x(..) - (\S+)\s+- (\S+)\s+\S+\s+Kx=(\S+)\s+Au=(\S+)\s+Enc=(?:[^(\s]+\((\d+)\)|None)/.exec(row)!;
    assert.equal(suiteName(Number.parseInt(high! + low!, 16)), name, row);
    assert.equal(opensslSuiteName(name!), openssl, row);
    assert.equal(suiteKeyBits(name!), Number(bits ?? 0), row);
    // OpenSSL counts ephemeral keys alone: `DH` is DHE.
    const exchanges: Record<string, string> = {
      DH: 'DHE',
      ECDH: 'ECDHE',
      RSA: 'RSA',
      any: 'any',
      PSK: 'PSK',
      SRP: 'SRP',
      RSAPSK: 'RSA-PSK',
      DHEPSK: 'DHE-PSK',
      ECDHEPSK: 'ECDHE-PSK',
    };
    assert.equal(keyExchangeOf(name!), exchanges[exchange!], row);
    assert.equal(hasForwardSecrecy(name!), /^(DH|ECDH|any|DHEPSK|ECDHEPSK)$/.test(exchange!), row);
    if (/^(RSA|ECDSA|DSS|any)$/.test(by!) && !/PSK/.test(exchange!)) assert.equal(authenticationOf(name!), by, row);
    if (by === 'None' && !/SRP/.test(exchange!)) assert.equal(authenticationOf(name!), 'anonymous', row);
  }
});

test('strength and weaknesses', () => {
  for (const [name, strength, ...weaknesses] of [
    ['TLS_AES_128_GCM_SHA256', 'strong'],
    ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256', 'strong'],
    ['TLS_DHE_RSA_WITH_AES_256_CCM', 'strong'],
    ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA', 'acceptable'],
    ['TLS_RSA_WITH_AES_128_GCM_SHA256', 'weak'],
    ['TLS_RSA_WITH_3DES_EDE_CBC_SHA', 'weak', 'small_block'],
    ['TLS_RSA_WITH_IDEA_CBC_SHA', 'weak', 'small_block'],
    ['TLS_ECDHE_RSA_WITH_RC4_128_SHA', 'insecure', 'rc4'],
    ['TLS_RSA_WITH_DES_CBC_SHA', 'insecure', 'des'],
    ['TLS_RSA_EXPORT_WITH_DES40_CBC_SHA', 'insecure', 'export', 'des'],
    ['TLS_ECDH_anon_WITH_AES_128_CBC_SHA', 'insecure', 'anonymous'],
    ['TLS_RSA_WITH_NULL_SHA256', 'insecure', 'null'],
    ['TLS_SHA256_SHA256', 'insecure', 'null'],
    ['SSL_CK_DES_192_EDE3_CBC_WITH_MD5', 'insecure', 'small_block'],
  ] as const)
    assert.deepEqual([suiteStrength(name), ...findSuiteWeaknesses(name)], [strength, ...weaknesses], name);
});

test('the first version of a suite', () => {
  for (const [name, version] of [
    ['TLS_RSA_WITH_AES_128_CBC_SHA', 'SSLv3'],
    ['TLS_RSA_WITH_AES_128_CBC_SHA256', 'TLSv1.2'],
    ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'TLSv1.2'],
    ['TLS_AES_128_CCM_8_SHA256', 'TLSv1.3'],
    ['SSL_CK_RC4_128_WITH_MD5', 'SSLv2'],
  ] as const)
    assert.equal(firstVersionOf(name), version, name);
});

test('groups: numbers of the registry, and which hold against a quantum computer', () => {
  // IANA, TLS Supported Groups; draft-ietf-tls-ecdhe-mlkem.
  for (const [code, name, postQuantum] of [
    [0x0017, 'secp256r1', false],
    [0x001d, 'x25519', false],
    [0x0100, 'ffdhe2048', false],
    [0x0001, 'sect163k1', false],
    [0x000e, 'sect571r1', false],
    [0x11ec, 'X25519MLKEM768', true],
    [0x11eb, 'SecP256r1MLKEM768', true],
    [0x11ed, 'SecP384r1MLKEM1024', true],
    [0x0201, 'MLKEM768', true],
  ] as const)
    assert.deepEqual([findNamedGroup(code)?.name, isPostQuantum(code)], [name, postQuantum]);
  assert.equal(findNamedGroup(0x0a0a), null);
});

test('signature schemes: those of TLS 1.3', () => {
  assert.equal(signatureSchemeName(0x0804), 'rsa_pss_rsae_sha256');
  // RFC 8446, 4.2.3 and B.3.1.3.
  assert.deepEqual([0x0403, 0x0804, 0x0807, 0x0809].map(isTls13Scheme), [true, true, true, true]);
  assert.deepEqual([0x0401, 0x0201, 0x0203, 0x0402, 0x0301].map(isTls13Scheme), [false, false, false, false, false]);
});

test('primes of Diffie-Hellman groups that are shared', () => {
  for (const [group, bits] of [
    ['modp1', 768],
    ['modp2', 1024],
    ['modp14', 2048],
    ['modp18', 8192],
  ] as const)
    assert.deepEqual(describeDhPrime(getDiffieHellman(group).getPrime()), { bits, known: 'RFC 2409 / RFC 3526' });
  // RFC 7919, A.1: the first and last bytes of ffdhe2048; those between do not matter here.
  const ffdhe = Buffer.concat([
    Buffer.from('ffffffffffffffffadf85458a2bb4a9a', 'hex'),
    Buffer.alloc(232, 1),
    Buffer.alloc(8, 0xff),
  ]);
  assert.deepEqual(describeDhPrime(ffdhe), { bits: 2048, known: 'ffdhe2048' });
  assert.deepEqual(describeDhPrime(Buffer.from([0, 0, 5, 1])), { bits: 11, known: null });
  assert.deepEqual(describeDhPrime(Buffer.alloc(3)), { bits: 0, known: null });
});
