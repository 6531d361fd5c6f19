import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isoDay, isoTime } from '../../src/analysis/iso-time.ts';

/** The times that a `Date` can have (ECMA-262, 21.4.1.1). */
const MAX_TIME_MS = 8_640_000_000_000_000;

test('times and days are written as Date writes them', () => {
  for (const timeMs of [
    0, 1, 999, 86_399_999, 86_400_000, -1, 1_639_131_309_143, 253_402_300_799_999, 253_402_300_800_000,
  ]) {
    assert.equal(isoTime(timeMs), new Date(timeMs).toISOString());
  }
  fc.assert(
    fc.property(fc.integer({ min: -MAX_TIME_MS, max: MAX_TIME_MS }), (timeMs) => {
      assert.equal(isoTime(timeMs), new Date(timeMs).toISOString());
    }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (timeMs) => {
      assert.equal(isoTime(timeMs), new Date(timeMs).toISOString());
      assert.equal(isoDay(timeMs), new Date(timeMs).toISOString().slice(0, 10));
    }),
  );
});

test('what is no time throws', () => {
  for (const timeMs of [Number.NaN, Number.POSITIVE_INFINITY, MAX_TIME_MS + 1]) {
    assert.throws(() => isoTime(timeMs), RangeError);
  }
  assert.throws(() => isoDay(Number.NaN), RangeError);
});
