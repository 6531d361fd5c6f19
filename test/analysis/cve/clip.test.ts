import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { truncateAtWord } from '../../../src/analysis/display-text.ts';

test('what fits is left as it is', () => {
  assert.equal(truncateAtWord('', 10), '');
  assert.equal(truncateAtWord('ten letter', 10), 'ten letter');
});

test('what does not is cut at a word and marked', () => {
  assert.equal(truncateAtWord('a flaw in the anvil', 18), 'a flaw in the...');
  assert.equal(truncateAtWord('a flaw in the anvil', 15), 'a flaw in...');
});

test('a word that is too long by itself is cut within', () => {
  assert.equal(truncateAtWord('x'.repeat(50), 10), 'xxxxxxx...');
});

test('a character of two units is not cut in half', () => {
  assert.equal(truncateAtWord(`12345😀😀😀`, 9), '12345...');
  assert.equal(truncateAtWord(`1234😀😀😀😀`, 9), '1234😀...');
});

test('never longer than the limit, nor half a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 4, max: 40 }), (text, limit) => {
      const short = truncateAtWord(text, limit);
      assert.ok(short.length <= limit);
      assert.ok(short.isWellFormed());
    }),
  );
});
