import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OriginalityCheck } from '../../scripts/starter/originality.ts';

function repeated(own: string, foreign: string): string[] {
  const check = new OriginalityCheck();
  check.addOwn('here', own);
  check.compare(foreign);
  return check.repeated.map(({ words }) => words);
}

test('eight words in a row are a repetition, seven are not', () => {
  const own = 'One two three four five six seven eight nine.';
  assert.deepEqual(repeated(own, 'and one two three four five six seven eight'), [
    'one two three four five six seven eight',
  ]);
  assert.deepEqual(repeated(own, 'one two three four five six seven and eight nine'), []);
});

test('case, punctuation and line ends make no difference', () => {
  assert.equal(repeated('a b c d e f g h', 'A, b; c\nd - e (f) "g" h!').length, 1);
});

test('a version number is one word', () => {
  const own = 'fixed in 1.2.3-rc1 since some other words follow here';
  assert.deepEqual(repeated(own, 'in 1.2.3-rc1 since some other words follow'), []);
  assert.equal(repeated(own, 'in 1.2.3-rc1 since some other words follow here').length, 1);
});

test('a shorter text is a repetition only as a whole', () => {
  assert.deepEqual(repeated('Acme Anvil code execution', 'acme anvil: code execution'), ['acme anvil code execution']);
  assert.deepEqual(repeated('Acme Anvil code execution', 'Acme Anvil code execution by drop'), []);
});

test('each repetition is told once, with its place', () => {
  const check = new OriginalityCheck();
  check.addOwn('CVE-2030-0001', 'a b c d e f g h');
  check.compare('a b c d e f g h');
  check.compare('a b c d e f g h');
  assert.deepEqual(check.repeated, [{ place: 'CVE-2030-0001', words: 'a b c d e f g h' }]);
});
