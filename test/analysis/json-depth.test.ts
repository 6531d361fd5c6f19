import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeeper } from '../../src/analysis/json-depth.ts';

describe('the depth of a JSON text', () => {
  for (const [text, depth] of [
    ['1', 0],
    ['"[[[["', 0],
    ['[]', 1],
    ['[{"a":[]}]', 3],
    [String.raw`["\"[[", "\\", [1]]`, 2],
    ['{"[{":{"]}":1}}', 2],
    ['[[],[],[[]]]', 3],
  ] as const) {
    test(text, () => {
      assert.equal(isDeeper(text, depth), false);
      if (depth > 0) assert.equal(isDeeper(text, depth - 1), true);
    });
  }

  test('a text that is no JSON is read to its end', () => {
    for (const text of ['"', '"\\', ']]]][', '{"a', '']) assert.equal(isDeeper(text, 5), false);
    assert.equal(isDeeper('['.repeat(1_000_000), 100), true);
  });
});
