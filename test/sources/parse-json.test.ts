import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../../src/sources/parse-json.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

test('what is nested too deep is refused, whatever it closes', () => {
  assert.doesNotThrow(() => parseJson(nested(64)));
  for (const text of [nested(65), '['.repeat(2_000_000), '{"a":'.repeat(65) + '1' + '}'.repeat(65)]) {
    assert.throws(() => parseJson(text), /too deep/);
  }
});

test('brackets in texts do not count, behind escapes neither; many beside one another do not either', () => {
  for (const value of ['['.repeat(100), `"${'['.repeat(100)}`, '\\', `\\"${'{'.repeat(100)}`]) {
    assert.deepEqual(parseJson(JSON.stringify([value, { [value]: value }])), [value, { [value]: value }]);
  }
  assert.equal((parseJson(`[${'[],'.repeat(1000)}{}]`) as unknown[]).length, 1001);
});
