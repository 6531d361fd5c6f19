import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { hashApiKey, isWellFormedApiKey, isSameHash, generateApiKey } from '../../src/access/api-key.ts';

describe('an API key', () => {
  test('is sxt_ and 48 lower-case hex characters, and never the same', () => {
    const keys = Array.from({ length: 100 }, () => generateApiKey());
    for (const { key } of keys) assert.match(key, /^sxt_[0-9a-f]{48}$/);
    for (const { key } of keys) assert.ok(isWellFormedApiKey(key));
    assert.equal(new Set(keys.map(({ key }) => key)).size, 100);
    assert.equal(new Set(keys.map(({ id }) => id)).size, 100);
  });

  test('is kept as its SHA-256; its id tells nothing of it', () => {
    const { key, id, hash } = generateApiKey();
    assert.equal(hash, createHash('sha256').update(key).digest('hex'));
    assert.ok(!key.includes(id) && !hash.includes(id));
    // FIPS 180-2, appendix B.1
    assert.equal(hashApiKey('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  const good = `sxt_${'0123456789abcdef'.repeat(3)}`;
  for (const [what, text] of [
    ['upper case', good.toUpperCase()],
    ['upper-case hex', `sxt_${'0123456789ABCDEF'.repeat(3)}`],
    ['one character less', good.slice(0, -1)],
    ['one more', `${good}0`],
    ['no prefix', good.slice(4)],
    ['another prefix', `sxp_${good.slice(4)}`],
    ['no hex', `sxt_${'g'.repeat(48)}`],
    ['a line end after it', `${good}\n`],
    ['a blank before it', ` ${good}`],
    ['a NUL in it', `${good.slice(0, 20)}\0${good.slice(21)}`],
    ['nothing', ''],
  ] as const) {
    test(`${what} is none`, () => assert.equal(isWellFormedApiKey(text), false));
  }

  test('hashes are the same or not', () => {
    const hash = hashApiKey(good);
    assert.ok(isSameHash(hash, hashApiKey(good)));
    assert.ok(!isSameHash(hash, hashApiKey(`${good}0`)));
    assert.ok(!isSameHash(hash, hash.slice(1)));
  });
});
