import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crc32 as zlibCrc32 } from 'node:zlib';
import { crc32, endsWithBase62Crc, endsWithHexCrc, isBech32 } from '../../../src/analysis/secrets/checksum.ts';
import { looksRandom } from '../../../src/analysis/secrets/entropy.ts';
import { KeywordIndex } from '../../../src/analysis/secrets/keyword-index.ts';
import { maskSecret } from '../../../src/analysis/secrets/mask-secret.ts';
import { chance } from '../../support/random.ts';

describe('checksums', () => {
  test('CRC-32 as zlib has it', () => {
    assert.equal(crc32('123456789'), 0xcbf43926); // the check value of the catalogue of CRC algorithms
    for (const text of ['', 'a', 'glsa_', 'x'.repeat(1000)]) assert.equal(crc32(text), zlibCrc32(text), text);
  });

  test('of GitHub and npm, and of Grafana, from their published examples', () => {
    assert.ok(endsWithBase62Crc('zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'));
    assert.ok(!endsWithBase62Crc('zQWBuTSOoRi4A9spHcVY5ncnsDkxkK0mLq17'));
    assert.ok(endsWithHexCrc('glsa_iNValIdinValiDinvalidinvalidinva_5b582697'));
    assert.ok(!endsWithHexCrc('glsa_iNValIdinValiDinvalidinvalidinvb_5b582697'));
  });

  test('Bech32: the vectors of BIP 173', () => {
    for (const valid of ['A12UEL5L', 'a12uel5l', 'abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw']) {
      assert.ok(isBech32(valid), valid);
    }
    for (const invalid of ['A1G7SGD8', 'x1b4n0q5v', 'abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxq']) {
      assert.ok(!isBech32(invalid), invalid);
    }
  });
});

test('the keyword index finds what a search for each keyword finds', () => {
  const { below, pick } = chance(3);
  for (let turn = 0; turn < 200; turn++) {
    const word = (length: number): string => Array.from({ length }, () => pick(['a', 'b', '_'])).join('');
    const keywords = [...new Set(Array.from({ length: 8 }, () => word(1 + below(4))))];
    const text = Array.from({ length: 60 }, () => pick(['a', 'A', 'b', '_', 'ä', '\u0161'])).join('');
    const found: string[] = [];
    new KeywordIndex(keywords.map((keyword) => [keyword, keyword] as const)).search(text, (keyword, start) =>
      found.push(`${start} ${keyword}`),
    );
    const wanted = keywords.flatMap((keyword) =>
      Array.from(text, (_, start) => start)
        .filter((start) => text.slice(start, start + keyword.length).toLowerCase() === keyword)
        .map((start) => `${start} ${keyword}`),
    );
    assert.deepEqual(found.toSorted(), wanted.toSorted());
  }
});

test('a mask shows at most four characters at each end, and less than half of what is short', () => {
  for (let length = 1; length < 200; length++) {
    const shown = maskSecret('s'.repeat(length)).replace('****', '');
    assert.ok(shown.length <= 8 && shown.length <= length / 3, `${shown.length} of ${length}`);
  }
  assert.equal(maskSecret('hunter2'), 'h****');
  const header = '-----BEGIN RSA PRIVATE KEY-----';
  assert.equal(maskSecret(`${header}\nMIIEpQIBAAKCAQEA`), `${header}****`);
});

describe('what looks random', () => {
  for (const random of [
    'yqDVt4kqPECri',
    'dafa7817-e246-48f3-91a7-e87653d587b8',
    '0afae57f3ccfd9d7',
    'x7Gh29sKqLm4',
    'Zk3+/9aQw8xT=',
  ]) {
    test(random, () => assert.ok(looksRandom(random)));
  }
  for (const named of [
    'SuperSecretToken',
    'my-service-account-2024',
    'com.example.auth.TokenProvider',
    'version-1.2.3-beta',
    '1234567890123456',
    'CamelCaseNamesOfClasses',
    'deadbeefdeadbeef',
    'us-east-1-prod-cluster',
  ]) {
    test(named, () => assert.ok(!looksRandom(named)));
  }
});
