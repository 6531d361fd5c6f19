import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { denialFromNsec } from '../../../src/analysis/dnssec/nsec.ts';
import { nsec3CoversName, denialFromNsec3, nsec3Hash, type Nsec3Record } from '../../../src/analysis/dnssec/nsec3.ts';

const sha1 = (data: Uint8Array): Uint8Array => createHash('sha1').update(data).digest();
const SALT = Buffer.from('aabbccdd', 'hex');
const ITERATIONS = 12;

/** RFC 5155, appendix A: the zone example, owners in hash order. */
const ZONE: readonly (readonly [name: string, hash: string, types: string])[] = [
  ['example', '0p9mhaveqvm6t7vbl5lop2u3t2rp3tom', 'NS SOA MX RRSIG DNSKEY NSEC3PARAM'],
  ['ns1.example', '2t7b4g4vsa5smi47k61mv5bv1a22bojr', 'A RRSIG'],
  ['a.example', '35mthgpgcu1qg68fab165klnsnk3dpvl', 'NS DS RRSIG'],
  ['x.w.example', 'b4um86eghhds6nea196smvmlo4ors995', 'MX RRSIG'],
  ['ai.example', 'gjeqe526plbf1g8mklp59enfd789njgi', 'A HINFO AAAA RRSIG'],
  ['x.y.w.example', '2vptu5timamqttgl4luu9kg21e0aor3s', 'MX RRSIG'],
  ['y.w.example', 'ji6neoaepv8b5o6k4ev33abha8ht9fgc', ''],
  ['w.example', 'k8udemvp1j2f7eg6jebps17vp3n8i58h', ''],
  ['ns2.example', 'q04jkcevqvmu85r014c7dkba38o0ji5r', 'A RRSIG'],
  ['*.w.example', 'r53bq7cc2uvmubfu5ocmm6pers9tk9en', 'MX RRSIG'],
  ['xx.example', 't644ebqk9bibcna874givr6joj62mlhv', 'A HINFO AAAA RRSIG'],
];

function spans(flags: number, iterations = ITERATIONS): Nsec3Record[] {
  const hashes = ZONE.map(([, hash]) => hash).sort();
  return ZONE.map(([, hash, types]) => ({
    owner: `${hash}.example`,
    algorithm: 1,
    flags,
    iterations,
    salt: SALT,
    nextDomain: fromBase32hex(hashes[(hashes.indexOf(hash) + 1) % hashes.length]!),
    rrtypes: types.split(' '),
  }));
}

function fromBase32hex(text: string): Uint8Array {
  const bits = text
    .split('')
    .map((digit) => Number.parseInt(digit, 32).toString(2).padStart(5, '0'))
    .join('');
  return Uint8Array.from(bits.match(/.{8}/g)!, (eight) => Number.parseInt(eight, 2));
}

const denied = (name: string, type: string, given = spans(0)) =>
  denialFromNsec3({ name, type, zone: 'example' }, given, sha1);

describe('NSEC3, by the zone of RFC 5155', () => {
  for (const [name, hash] of ZONE) {
    test(`the hash of ${name}`, () =>
      assert.equal(nsec3Hash(name, { salt: SALT, iterations: ITERATIONS }, sha1), hash));
  }

  test('B.1: neither the name nor a wildcard in its place', () => {
    assert.deepEqual(denied('a.c.x.w.example', 'A'), { proves: 'no_name' });
  });

  test('B.2: no such type', () => {
    assert.deepEqual(denied('ns1.example', 'MX'), { proves: 'no_type', delegated: false });
    assert.equal(denied('ns1.example', 'A'), null, 'it has one');
  });

  test('B.2.1: an empty non-terminal', () => {
    assert.deepEqual(denied('y.w.example', 'A'), { proves: 'no_type', delegated: false });
  });

  test('B.3: a span with opt-out may hide a delegation', () => {
    assert.deepEqual(denied('c.example', 'DS', spans(1)), { proves: 'opt_out' });
    assert.deepEqual(denied('c.example', 'DS'), { proves: 'no_name' });
  });

  test('a signed delegation has a DS; below it nothing is proved', () => {
    assert.equal(denied('a.example', 'DS'), null);
    assert.equal(denied('ns1.a.example', 'A'), null);
  });

  test('B.4: what lies between a wildcard and the name', () => {
    assert.ok(spans(0).some((span) => nsec3CoversName(span, 'z.w.example', sha1)));
    assert.ok(!spans(0).some((span) => nsec3CoversName(span, 'x.w.example', sha1)));
  });

  test('B.5: a wildcard without the type', () => {
    assert.deepEqual(denied('a.z.w.example', 'AAAA'), { proves: 'no_type', delegated: false });
    assert.equal(denied('a.z.w.example', 'MX'), null);
  });

  test('a proof that lacks a part proves nothing', () => {
    const without = (hash: string) => spans(0).filter(({ owner }) => !owner.startsWith(hash));
    assert.equal(denied('a.c.x.w.example', 'A', without('b4um86')), null, 'the closest encloser');
    assert.equal(denied('a.c.x.w.example', 'A', without('0p9mha')), null, 'the next closer name');
    assert.equal(denied('a.c.x.w.example', 'A', without('35mthg')), null, 'the wildcard');
  });

  test('more rounds than anybody needs are not made', () => {
    assert.deepEqual(denied('c.example', 'DS', spans(0, 2500)), { proves: 'costly' });
    assert.ok(!nsec3CoversName(spans(0, 2500)[0]!, 'c.example', sha1));
  });
});

describe('NSEC', () => {
  // RFC 4035, appendix A: the zone example.
  const ZONE_4035 = [
    ['example', 'a.example', 'NS SOA MX RRSIG NSEC DNSKEY'],
    ['a.example', 'ai.example', 'NS DS RRSIG NSEC'],
    ['ai.example', 'b.example', 'A HINFO AAAA RRSIG NSEC'],
    ['b.example', 'ns1.example', 'NS RRSIG NSEC'],
    ['ns1.example', 'ns2.example', 'A RRSIG NSEC'],
    ['ns2.example', '*.w.example', 'A RRSIG NSEC'],
    ['*.w.example', 'x.w.example', 'MX RRSIG NSEC'],
    ['x.w.example', 'x.y.w.example', 'MX RRSIG NSEC'],
    ['x.y.w.example', 'xx.example', 'MX RRSIG NSEC'],
    ['xx.example', 'example', 'A HINFO AAAA RRSIG NSEC'],
  ].map(([owner, nextDomain, types]) => ({ owner: owner!, nextDomain: nextDomain!, rrtypes: types!.split(' ') }));
  const nsec = (name: string, type: string, given = ZONE_4035) => denialFromNsec(name, type, given);

  test('B.2: neither the name nor a wildcard in its place', () => {
    assert.deepEqual(nsec('ml.example', 'A'), { proves: 'no_name' });
    const onlyName = ZONE_4035.filter(({ owner }) => owner === 'b.example');
    assert.equal(nsec('ml.example', 'A', onlyName), null, 'the wildcard is not denied');
    assert.deepEqual(nsec('ml.example', 'DS', onlyName), { proves: 'no_name' }, 'no delegation comes from a wildcard');
  });

  test('B.3: no such type', () => {
    assert.deepEqual(nsec('ns1.example', 'MX'), { proves: 'no_type', delegated: false });
    assert.equal(nsec('ns1.example', 'A'), null);
  });

  test('B.5: an insecure delegation; a signed one', () => {
    assert.deepEqual(nsec('b.example', 'DS'), { proves: 'no_type', delegated: true });
    assert.equal(nsec('a.example', 'DS'), null);
  });

  test('below a delegation nothing is proved', () => assert.equal(nsec('mc.b.example', 'A'), null));

  test('B.7: a wildcard without the type', () => {
    assert.deepEqual(nsec('a.z.w.example', 'AAAA'), { proves: 'no_type', delegated: false });
    assert.equal(nsec('a.z.w.example', 'MX'), null);
  });

  test('an empty non-terminal exists', () => {
    assert.deepEqual(nsec('y.w.example', 'A'), { proves: 'no_type', delegated: false });
  });

  test('the last span leads back to the beginning, and not out of the zone', () => {
    assert.deepEqual(nsec('zz.example', 'DS'), { proves: 'no_name' });
    assert.equal(nsec('zz.other', 'DS'), null);
  });
});
