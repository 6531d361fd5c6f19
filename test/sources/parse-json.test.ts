import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBoundedJson } from '../../src/analysis/bounded-json.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

test('what is nested too deep is refused, whatever it closes', () => {
  assert.doesNotThrow(() => parseBoundedJson(nested(100)));
  for (const text of [nested(101), '['.repeat(2_000_000), '{"a":'.repeat(101) + '1' + '}'.repeat(101)]) {
    assert.throws(() => parseBoundedJson(text), { name: 'JsonDepthError' });
  }
});

test('brackets in texts do not count, behind escapes neither; many beside one another do not either', () => {
  for (const value of ['['.repeat(100), `"${'['.repeat(100)}`, '\\', `\\"${'{'.repeat(100)}`]) {
    assert.deepEqual(parseBoundedJson(JSON.stringify([value, { [value]: value }])), [value, { [value]: value }]);
  }
  assert.equal((parseBoundedJson(`[${'[],'.repeat(1000)}{}]`) as unknown[]).length, 1001);
});
