import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sizeInMemory } from '../../src/sources/size-in-memory.ts';

const LIMIT = 16 * 1024 * 1024;

test('a value takes at least two bytes for each character of its JSON strings', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      let characters = 0;
      JSON.stringify(value, (_, part: unknown) => {
        if (typeof part === 'string') characters += part.length;
        return part;
      });
      assert.ok(sizeInMemory(value, LIMIT) >= 2 * characters);
    }),
  );
});

test('bytes are counted wherever they are', () => {
  const bytes = new Uint8Array(1_000_000);
  for (const value of [bytes, [bytes], { bytes }, new Map([['a', bytes]]), new Set([bytes]), [[{ deep: [bytes] }]]]) {
    assert.ok(sizeInMemory(value, LIMIT) >= 1_000_000);
    assert.ok(sizeInMemory(value, LIMIT) < 1_001_000);
  }
});

test('what holds itself has an end: it is above the limit', () => {
  const own: unknown[] = [];
  own.push(own);
  assert.ok(sizeInMemory(own, 1000) > 1000);
});

test('a long list of small values is above the limit', () => {
  assert.ok(
    sizeInMemory(
      Array.from({ length: 1_000_000 }, () => 1),
      1_000_000,
    ) > 1_000_000,
  );
});
