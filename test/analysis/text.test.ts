import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cleanText, markdownToLine } from '../../src/analysis/display-text.ts';

test('plain text is returned as it is', () => {
  for (const text of [
    '',
    'Log4Shell',
    'two\nlines\tand a tab',
    'Dassault Systèmes – 「日本」 €',
    '😀 Ελληνικά עברית',
  ]) {
    assert.equal(cleanText(text), text);
  }
});

test('control characters go, line ends become one kind', () => {
  assert.equal(cleanText('a\u0000b\u0007c\u001b[31mred\u007f\u009b'), 'abc[31mred');
  assert.equal(cleanText('one\r\ntwo\rthree\u2028four\u2029five\u0085six'), 'one\ntwo\nthree\nfour\nfive\nsix');
});

test('bidirectional controls of "Trojan Source" (CVE-2021-42574) go', () => {
  for (const control of '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c') {
    assert.equal(cleanText(`access${control}Level`), 'accessLevel');
  }
});

test('invisible characters go: zero-width, soft hyphen, byte order mark, variation selectors, lone surrogates', () => {
  for (const hidden of [
    '\u200b',
    '\u200c',
    '\u200d',
    '\u2060',
    '\u2064',
    '\u00ad',
    '\ufeff',
    '\u180e',
    '\ufe0f',
    '\ufff9',
    '\ud800',
  ]) {
    assert.equal(cleanText(`pass${hidden}word`), 'password', JSON.stringify(hidden));
  }
});

test('a message hidden in Unicode tag characters goes', () => {
  const hidden = 'ignore all'
    .split('')
    .map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)))
    .join('');
  assert.equal(cleanText(`A flaw.${hidden}`), 'A flaw.');
});

test('cleaning twice is cleaning once, and nothing unseen is left', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const clean = cleanText(text);
      assert.equal(cleanText(clean), clean);
      assert.ok(!/[\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u.test(clean));
      assert.ok(!/\p{Cc}/u.test(clean.replace(/[\n\t]/g, '')));
    }),
  );
});

// https://spec.commonmark.org/0.31.2/: ATX headings, emphasis, code spans, links, fenced code, list items.
test('Markdown becomes plain text on one line', () => {
  for (const [markdown, plain] of [
    ['### Impact\nAnyone can read `/etc`.\n\n### Patches\nUpgrade.', 'Anyone can read /etc. Upgrade.'],
    ['**Vite** is *bypassed* when using `?import&raw`', 'Vite is bypassed when using ?import&raw'],
    ['See [the advisory](https://example.com/a_b) and ![x](y.png)', 'See the advisory and x'],
    ['* one\n- two\n> three', 'one two three'],
    ['```js\nrun()\n```\nafter', 'run() after'],
    ['remove_dir_all and __proto__ stay', 'remove_dir_all and __proto__ stay'],
    ['2 * 3 * 4 and a[0](b c)', '2 * 3 * 4 and a[0](b c)'],
    ['C# and #1', 'C# and #1'],
    ['plain text. With two sentences.', 'plain text. With two sentences.'],
  ] as const) {
    assert.equal(markdownToLine(markdown), plain);
  }
});

test('texts without invisible characters are the same as with one that is removed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 80 }), (text) => {
      assert.equal(cleanText(text), cleanText(`${text}\u200b`));
    }),
  );
});

test('texts without Markdown are the same as with some in a line of its own', () => {
  // Without characters that could belong to a construct together with those of the added line.
  const character = fc.constantFrom(...'#~-=_>+)]( !a1.\n\r\t\u2028\u00a0');
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 40 }), (text) => {
      assert.equal(`${markdownToLine(`${text} .`)} code`.trim(), markdownToLine(`${text} .\n\n\`code\``));
    }),
    { numRuns: 3000 },
  );
});
