import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type CpeName, normalizeCpeToken, parseCpe, parseCpeLenient } from '../../../src/analysis/cve/cpe.ts';

const ANY = { update: null, edition: null, sw_edition: null, target_sw: null, target_hw: null } as const;

/** NISTIR 7695, section 6.2.2.4: the examples of the formatted string binding, with the values of their well-formed names. */
const EXAMPLES: [text: string, name: CpeName][] = [
  [
    'cpe:2.3:a:microsoft:internet_explorer:8.0.6001:beta:*:*:*:*:*:*',
    { ...ANY, part: 'a', vendor: 'microsoft', product: 'internet_explorer', version: '8.0.6001', update: 'beta' },
  ],
  [
    'cpe:2.3:a:microsoft:internet_explorer:8.*:sp?:*:*:*:*:*:*',
    { ...ANY, part: 'a', vendor: 'microsoft', product: 'internet_explorer', version: '8.*', update: 'sp?' },
  ],
  [
    'cpe:2.3:a:hp:insight_diagnostics:7.4.0.1570:-:*:*:online:win2003:x64:*',
    {
      ...ANY,
      part: 'a',
      vendor: 'hp',
      product: 'insight_diagnostics',
      version: '7.4.0.1570',
      update: '-',
      sw_edition: 'online',
      target_sw: 'win2003',
      target_hw: 'x64',
    },
  ],
  [
    'cpe:2.3:a:hp:openview_network_manager:7.51:*:*:*:*:linux:*:*',
    { ...ANY, part: 'a', vendor: 'hp', product: 'openview_network_manager', version: '7.51', target_sw: 'linux' },
  ],
  [
    String.raw`cpe:2.3:a:foo\\bar:big\$money_2010:*:*:*:*:special:ipod_touch:80gb:*`,
    {
      ...ANY,
      part: 'a',
      vendor: String.raw`foo\bar`,
      product: 'big$money_2010',
      version: null,
      sw_edition: 'special',
      target_sw: 'ipod_touch',
      target_hw: '80gb',
    },
  ],
];

suite('the examples of NISTIR 7695', () => {
  for (const [text, name] of EXAMPLES) test(text, () => assert.deepEqual(parseCpe(text), name));
});

test('an escaped colon does not end a component', () => {
  const name = parseCpe(String.raw`cpe:2.3:a:soap\:\:lite_project:soap\:\:lite:1.14:*:*:*:*:perl:*:*`);
  assert.deepEqual(
    [name?.vendor, name?.product, name?.version, name?.target_sw],
    ['soap::lite_project', 'soap::lite', '1.14', 'perl'],
  );
  const afterBackslash = parseCpe(String.raw`cpe:2.3:a:v:p\\:1:*:*:*:*:*:*:*`);
  assert.deepEqual([afterBackslash?.product, afterBackslash?.version], ['p\\', '1']);
});

test('parts are applications, operating systems and hardware; anything else is not a part', () => {
  const part = (letter: string) => parseCpe(`cpe:2.3:${letter}:v:p:*:*:*:*:*:*:*:*`)?.part;
  assert.deepEqual(['a', 'o', 'h', '*', '-'].map(part), ['a', 'o', 'h', null, null]);
});

test('any version is null, "not applicable" stays', () => {
  const version = (text: string) => parseCpe(`cpe:2.3:a:v:p:${text}:*:*:*:*:*:*:*`)?.version;
  assert.equal(version('*'), null);
  assert.equal(version('-'), '-');
  assert.equal(version(String.raw`1.0\*`), '1.0*');
});

test('what is no CPE 2.3 formatted string', () => {
  for (const text of [
    '',
    'cpe',
    'cpe:2.3:',
    'cpe:/a:vendor:product:1.0',
    'cpe:2.3:a:vendor:product',
    'cpe:2.3:a:v:p:*:*:*:*:*:*:*:*:*',
    // With its colons unquoted, as in one record of the feeds.
    'cpe:2.3:a:soap::lite_project:soap::lite:*:*:*:*:*:perl:*:*',
  ]) {
    assert.equal(parseCpe(text), null, text);
  }
});

suite('tokens', () => {
  test('case, white space and underscore are one', () => {
    for (const text of ['windows_10', 'Windows 10', ' WINDOWS  10\t', 'windows\u00a010'])
      assert.equal(normalizeCpeToken(text), 'windows_10');
    assert.equal(normalizeCpeToken('Log4J'), 'log4j');
    // CVE-2024-6498 names a product with an emoji, which ends with a variation selector (U+FE0F).
    assert.equal(normalizeCpeToken('Collect.chat \u26a1\ufe0f'), 'collect.chat_\u26a1');
  });

  test('a name typed with the escapes of a CPE is the name', () => {
    assert.equal(normalizeCpeToken(String.raw`notepad\+\+`), 'notepad++');
    assert.equal(normalizeCpeToken('notepad++'), 'notepad++');
  });

  test('a backslash that escapes nothing is part of the name', () => {
    assert.equal(normalizeCpeToken(String.raw`backpack\crud`), String.raw`backpack\crud`);
    assert.equal(normalizeCpeToken(String.raw`foo\\bar`), String.raw`foo\bar`);
  });

  test('nothing else is folded: tokens are exact', () => {
    assert.notEqual(normalizeCpeToken('log4j'), normalizeCpeToken('log4j2'));
    assert.notEqual(normalizeCpeToken('apache-http'), normalizeCpeToken('apache_http'));
  });
});

test('names as documents give them: 2.2 URIs (NISTIR 7695, section 6.1), and formatted strings without their end', () => {
  const name = parseCpe('cpe:2.3:a:hp:openview_network_manager:7.51:*:*:*:*:linux:*:*');
  assert.deepEqual(parseCpeLenient('cpe:/a:hp:openview_network_manager:7.51::~~~linux~~'), name);
  assert.deepEqual(parseCpeLenient(' cpe:2.3:a:hp:openview_network_manager:7.51:*:*:*:*:linux '), name);
  assert.equal(parseCpeLenient(String.raw`cpe:2.3:a:vendor:a\:b:1.0`)?.product, 'a:b');
  for (const text of ['', 'cpe:', 'a:b:c', 'cpe:2.3:a:two words:x:1', `cpe:2.3:a:v:${'x'.repeat(600)}`]) {
    assert.equal(parseCpeLenient(text), null, text);
  }
});
