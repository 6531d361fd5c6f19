import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dnskeyRdata, computeKeyTag } from '../../../src/analysis/dnssec/canonical-rdata.ts';
import { compareNames, concatBytes, encodeName } from '../../../src/analysis/dnssec/names.ts';
import type { DnskeyData, ResourceRecord } from '../../../src/analysis/dnssec/records.ts';
import { ROOT_ANCHORS } from '../../../src/analysis/dnssec/root-anchors.ts';
import { typeBitmap } from '../../../src/analysis/dnssec/record-types.ts';
import { SignatureVerifier, toZoneKeys } from '../../../src/analysis/dnssec/signature-verifier.ts';
import { dnssecCrypto } from '../../../src/sources/dnssec-crypto.ts';

const key = (flags: number, algorithm: number, base64: string): DnskeyData => ({
  flags,
  algorithm,
  key: Buffer.from(base64.replaceAll(' ', ''), 'base64'),
});

/** Examples of the standards: DNSKEY, the record, the numbers of the RRSIG. */
const EXAMPLES = [
  {
    standard: 'RFC 5702, 6.1: RSA/SHA-256',
    zone: 'example.net',
    key: key(256, 8, 'AwEAAcFcGsaxxdgiuuGmCkVImy4h99CqT7jwY3pexPGcnUFtR2Fh36BponcwtkZ4cAgtvd4Qs8PkxUdp6p/DlUmObdk='),
    record: { name: 'www.example.net', type: 'A', data: '192.0.2.91' },
    tag: 9033,
    times: [946684800, 1893456000],
    signature: 'kRCOH6u7l0QGy9qpC9l1sLncJcOKFLJ7GhiUOibu4teYp5VE9RncriShZNz85mwlMgNEacFYK/lPtPiVYP4bwg==',
  },
  {
    standard: 'RFC 5702, 6.2: RSA/SHA-512',
    zone: 'example.net',
    key: key(
      256,
      10,
      `AwEAAdHoNTOW+et86KuJOWRDp1pndvwb6Y83nSVXXyLA3DLroROUkN6X0O6pnWnjJQujX/AyhqFDxj13tOnD9u/1kTg7cV6rklMrZDtJCQ5PCl/D7QNP
       sgVsMu1J2Q8gpMpztNFLpPBz1bWXjDtaR7ZQBlZ3PFY12ZTSncorffcGmhOL`,
    ),
    record: { name: 'www.example.net', type: 'A', data: '192.0.2.91' },
    tag: 3740,
    times: [946684800, 1893456000],
    signature: `tsb4wnjRUDnB1BUi+t6TMTXThjVnG+eCkWqjvvjhzQL1d0YRoOe0CbxrVDYd0xDtsuJRaeUw1ep94PzEWzr0iGYgZBWm/zpq+9fOuagYJRfDqfReKBzM
      weOLDiNa8iP5g9vMhpuv6OPlvpXwm9Sa9ZXIbNl1MBGk0fthPgxdDLw=`,
  },
  {
    standard: 'RFC 6605, 6.1: ECDSA P-256',
    zone: 'example.net',
    key: key(257, 13, 'GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA=='),
    record: { name: 'www.example.net', type: 'A', data: '192.0.2.1' },
    tag: 55648,
    times: [1281607479, 1284026679],
    signature: 'qx6wLYqmh+l9oCKTN6qIc+bw6ya+KJ8oMz0YP107epXAyGmt+3SNruPFKG7tZoLBLlUzGGus7ZwmwWep666VCw==',
    ds: { hash: 'sha256', digest: 'b4c8c1fe2e7477127b27115656ad6256f424625bf5c1e2770ce6d6e37df61d17' },
  },
  {
    standard: 'RFC 6605, 6.2: ECDSA P-384',
    zone: 'example.net',
    key: key(
      257,
      14,
      `xKYaNhWdGOfJ+nPrL8/arkwf2EY3MDJ+SErKivBVSum1w/egsXvSADtNJhyem5RCOpgQ6K8X1DRSEkrbYQ+OB+v8/uX45NBwY8rp65F6Glur8I/mlVNg
       F6W/qTI37m40`,
    ),
    record: { name: 'www.example.net', type: 'A', data: '192.0.2.1' },
    tag: 10771,
    times: [1281608425, 1284027625],
    signature: `/L5hDKIvGDyI1fcARX3z65qrmPsVz73QD1Mr5CEqOiLP95hxQouuroGCeZOvzFaxsT8Glr74hbavRKayJNuydCuzWTSSPdz7wnqXL5bdcJzusdnI0RSM
      ROxxwGipWcJm`,
    ds: {
      hash: 'sha384',
      digest: '72d7b62976ce06438e9c0bf319013cf801f09ecc84b8d7e9495f27e305c6a9b0563a9b5f4d288405c3008a946df983d6',
    },
  },
  {
    standard: 'RFC 8080, 6.1 with erratum 4935: Ed25519',
    zone: 'example.com',
    key: key(257, 15, 'l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4='),
    record: { name: 'example.com', type: 'MX', data: { preference: 10, exchange: 'mail.example.com' } },
    tag: 3613,
    times: [1438207200, 1440021600],
    signature: 'oL9krJun7xfBOIWcGHi7mag5/hdZrKWw15jPGrHpjQeRAvTdszaPD+QLs3fx8A4M3e23mRZ9VrbpMngwcrqNAg==',
    ds: { hash: 'sha256', digest: '3aa5ab37efce57f737fc1627013fee07bdf241bd10f3b1964ab55c78e79a304b' },
  },
] as const;

for (const { standard, zone, record, tag, times, signature, ...example } of EXAMPLES) {
  describe(standard, () => {
    const [inception, expiration] = times;
    const rrsig = {
      typeCovered: record.type,
      algorithm: example.key.algorithm,
      labels: record.name.split('.').length,
      originalTTL: 3600,
      expiration,
      inception,
      keyTag: tag,
      signersName: `${zone.toUpperCase()}.`,
      signature: Buffer.from(signature.replaceAll(/\s/g, ''), 'base64'),
    };
    const zoneOf = (given: DnskeyData) => ({
      name: zone,
      keys: toZoneKeys([{ name: zone, type: 'DNSKEY', data: given }]),
    });
    const check = (
      records: readonly ResourceRecord[],
      seconds: number = inception,
      data: object = rrsig,
      given = example.key,
    ) =>
      new SignatureVerifier(dnssecCrypto, new Date(seconds * 1000)).check(
        records,
        [{ name: record.name, type: 'RRSIG', data }],
        zoneOf(given),
      );
    const problem = (of: ReturnType<typeof check>) => ('problem' in of ? of.problem : 'it holds');

    test('the signature holds, from its first second to its last', () => {
      assert.ok('signature' in check([record]));
      assert.ok('signature' in check([record], expiration));
      assert.ok('signature' in check([record, { ...record }]), 'a record counts once');
    });

    test('not outside of its time', () => {
      assert.match(problem(check([record], inception - 1)), /valid only from/);
      assert.match(problem(check([record], expiration + 1)), /expired on/);
    });

    test('not over other data, by another key, or of another zone', () => {
      const other = record.type === 'A' ? '192.0.2.77' : { preference: 11, exchange: 'mail.example.com' };
      assert.match(problem(check([{ ...record, data: other }])), /not one that key \d+ made/);
      assert.match(problem(check([record], inception, { ...rrsig, keyTag: tag + 1 })), /which the zone does not have/);
      assert.match(problem(check([record], inception, { ...rrsig, signersName: 'com' })), /is not by example/);
      assert.match(problem(check([record], inception, { ...rrsig, algorithm: 5 })), /RSA\/SHA-1, which proves nothing/);
      assert.match(problem(check([record], inception, rrsig, { ...example.key, flags: 0 })), /does not have/);
      const broken = { ...example.key, key: example.key.key.subarray(1) };
      assert.notEqual(problem(check([record], inception, rrsig, broken)), 'it holds');
    });

    test('key tag and DS', () => {
      assert.equal(computeKeyTag(example.key), tag);
      if (!('ds' in example)) return;
      const digest = dnssecCrypto.digest(example.ds.hash, concatBytes([encodeName(zone), dnskeyRdata(example.key)]));
      assert.equal(Buffer.from(digest).toString('hex'), example.ds.digest);
    });
  });
}

describe('the anchors of the root are digests of the keys that IANA publishes', () => {
  const KEYS = [
    `AwEAAaz/tAm8yTn4Mfeh5eyI96WSVexTBAvkMgJzkKTOiW1vkIbzxeF3+/4RgWOq7HrxRixHlFlExOLAJr5emLvN7SWXgnLh4+B5xQlNVz8Og8kvArMtNROxVQuC
     aSnIDdD5LKyWbRd2n9WGe2R8PzgCmr3EgVLrjyBxWezF0jLHwVN8efS3rCj/EWgvIWgb9tarpVUDK/b58Da+sqqls3eNbuv7pr+eoZG+SrDK6nWeL3c6H5Apxz7L
     jVc1uTIdsIXxuOLYA4/ilBmSVIzuDWfdRUfhHdY6+cn8HFRm+2hM8AnXGXws9555KrUB5qihylGa8subX2Nn6UwNR1AkUTV74bU=`,
    `AwEAAa96jeuknZlaeSrvyAJj6ZHv28hhOKkx3rLGXVaC6rXTsDc449/cidltpkyGwCJNnOAlFNKF2jBosZBU5eeHspaQWOmOElZsjICMQMC3aeHbGiShvZsx4wMY
     SjH8e7Vrhbu6irwCzVBApESjbUdpWWmEnhathWu1jo+siFUiRAAxm9qyJNg/wOZqqzL/dL/q8PkcRU5oUKEpUge71M3ej2/7CPqpdVwuMoTvoB+ZOT4YeGyxMvHm
     brxlFzGOHOijtzN+u1TQNatX2XBuzZNQ1K+s2CXkPIZo7s6JgZyvaBevYtxPvYLw4z9mR7K2vaF18UYH9Z9GNUUeayffKC73PYc=`,
  ];
  for (const [index, text] of KEYS.entries()) {
    test(`${ROOT_ANCHORS[index]!.keyTag}`, () => {
      const given = key(257, 8, text.replaceAll('\n', ''));
      assert.equal(computeKeyTag(given), ROOT_ANCHORS[index]!.keyTag);
      const digest = dnssecCrypto.digest('sha256', concatBytes([encodeName('.'), dnskeyRdata(given)]));
      assert.deepEqual(Buffer.from(digest), Buffer.from(ROOT_ANCHORS[index]!.digest));
    });
  }
});

test('names in canonical order: the example of RFC 4034, 6.1', () => {
  const inOrder = [
    'example',
    'a.example',
    'yljkjljk.a.example',
    'z.a.example',
    'zabc.a.example',
    'z.example',
    '*.z.example',
  ];
  assert.deepEqual(inOrder.toReversed().sort(compareNames), inOrder);
  assert.ok(compareNames('.', 'example') < 0);
});

test('a bitmap of types: the example of RFC 4034, 4.3', () => {
  const bitmap = typeBitmap(['A', 'MX', 'RRSIG', 'NSEC', 'UNKNOWN_1234']);
  assert.equal(Buffer.from(bitmap).toString('hex'), `0006400100000003041b${'00'.repeat(26)}20`);
});
