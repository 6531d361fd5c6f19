import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastWordAsTyped, searchWords } from '../../src/analysis/search-words.ts';

for (const [text, words] of [
  ['Apache Log4j2 2.17.1', ['apache', 'log4j2', '2', '17', '1']],
  ['an out-of-bounds write in the parser', ['out', 'bound', 'write', 'parser']],
  ['Overflows, libraries and indexes', ['overflow', 'library', 'indexe']],
  ['indexe', ['indexe']],
  ['Cross-Site_Scripting (XSS)', ['cross', 'site', 'scripting', 'xss']],
  // Names that only look like plurals are changed in the query as in the text.
  ['Windows Jenkins access status', ['window', 'jenkin', 'access', 'status']],
  ['Über Zürich café', ['uber', 'zurich', 'cafe']],
  ['漏洞 в ядре', ['漏洞', 'в', 'ядре']],
  ['the of and', []],
  ['"; DROP TABLE -- *', ['drop', 'table']],
  ['?!', []],
  ['a'.repeat(100), ['a'.repeat(32)]],
] as const) {
  test(`words of ${text.slice(0, 40)}`, () => assert.deepEqual(searchWords(text), words));
}

test('the last word as it was typed is what a longer word begins with', () => {
  assert.equal(lastWordAsTyped('remote Overflows'), 'overflows');
  assert.equal(lastWordAsTyped('log4*'), 'log4');
  assert.equal(lastWordAsTyped('...'), null);
});
