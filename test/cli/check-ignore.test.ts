import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createExclusionCheck } from '../../src/cli/check/exclusion-check.ts';

const EMPTY = join(tmpdir(), 'a folder that is not there');

/** Patterns of gitignore(5), with names that they match and names that they do not, as `git check-ignore` says. */
const PATTERNS: [pattern: string, matched: string[], not: string[]][] = [
  ['foo', ['foo', 'a/b/foo'], ['xfoo', 'foox']],
  ['/foo', ['foo'], ['a/foo']],
  ['a/**/b', ['a/b', 'a/x/y/b'], ['x/a/b']],
  ['f?o', ['fxo'], ['fo', 'f/o']],
  ['[a-c]oo', ['boo'], ['doo', '-oo']],
  ['[a-]oo', ['aoo', '-oo'], ['boo']],
  ['[!a]oo', ['boo'], ['aoo', '/oo']],
  ['[^a]oo', ['boo'], ['aoo']],
  ['[]a]oo', [']oo', 'aoo'], ['boo']],
  ['[a\\]b]oo', ['aoo', 'boo', ']oo'], ['\\oo']],
  ['[\\-]oo', ['-oo'], ['\\oo']],
  ['[[:alpha:]]oo', ['aoo', 'Zoo'], ['1oo', ':oo', '[oo']],
  ['[![:digit:]_]oo', ['aoo'], ['1oo', '_oo']],
  ['[[:space:]]oo', [' oo', '\too'], ['soo']],
  ['foo\t', ['foo\t'], ['foo']],
  ['foo ', ['foo'], ['foo ']],
  ['foo\\ ', ['foo '], ['foo']],
  ['\\!foo', ['!foo'], ['foo']],
  ['{a,b}', ['{a,b}'], ['a', 'b']],
];

for (const [pattern, matched, not] of PATTERNS) {
  test(`the pattern ${JSON.stringify(pattern)}`, () => {
    const excluded = createExclusionCheck(EMPTY, [pattern]);
    for (const path of matched) assert.notEqual(excluded(path, false), null, path);
    for (const path of not) assert.equal(excluded(path, false), null, path);
  });
}

test('a range that ends before it begins is told, not thrown', () => {
  for (const pattern of ['[z-a]', '[a-[:digit:]]']) {
    assert.throws(() => createExclusionCheck(EMPTY, [pattern]), { name: 'CliError', message: /a range of characters/ });
  }
});
