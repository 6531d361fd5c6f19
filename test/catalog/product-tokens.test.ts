import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { CveProduct } from '../../src/analysis/cve/cve-facts.ts';
import { encodeTokens, TOKEN_KINDS } from '../../src/catalog/product-tokens.ts';
import { product } from '../support/facts.ts';

const NAMES = new Map<number, string>(Object.entries(TOKEN_KINDS).map(([name, kind]) => [kind, name]));

function tokensOf(...products: CveProduct[]): string[] {
  return encodeTokens(products).map((token) => {
    const [kind, vendor, name] = token.split('\t');
    return `${NAMES.get(Number(kind))} ${vendor} ${name}`;
  });
}

test('a vulnerable product, and what it is made for', () => {
  assert.deepEqual(tokensOf(product('cpe:2.3:a:acme:anvil:1.0:*:*:*:*:wordpress:*:*')), [
    'affected acme anvil',
    'targetSoftware acme wordpress',
  ]);
  for (const none of ['*', '-']) {
    assert.deepEqual(tokensOf(product(`cpe:2.3:a:acme:anvil:1.0:*:*:*:*:${none}:*:*`)), ['affected acme anvil']);
  }
});

test('what a product runs on is its platform, and says nothing of target software', () => {
  const platform = product('cpe:2.3:o:acme:cliff:-:*:*:*:*:linux:*:*', { vulnerable: false });
  assert.deepEqual(tokensOf(platform), ['platform acme cliff']);
});

test('many versions are one token', () => {
  const versions = Array.from({ length: 50 }, (_, at) => product(`cpe:2.3:a:acme:anvil:${at}:*:*:*:*:*:*:*`));
  assert.deepEqual(tokensOf(...versions), ['affected acme anvil']);
});

test('names in plain words, with or without a vendor', () => {
  assert.deepEqual(
    tokensOf(
      product(null, { vendor: 'Acme Corp.', product: 'Big Anvil' }),
      product(null, { product: '@acme/anvil', ecosystem: 'npm' }),
      product(null),
    ),
    ['plainName acme_corp. big_anvil', 'plainName  @acme/anvil'],
  );
});

test('what cannot be read as a CPE has no token', () => {
  assert.deepEqual(tokensOf(product('cpe:2.3:a:soap::lite:*'), product('nonsense')), []);
});

suite('tokens are exact', () => {
  test('escapes of a CPE are undone once', () => {
    assert.deepEqual(tokensOf(product(String.raw`cpe:2.3:a:notepad\+\+_project:notepad\+\+:8.0:*:*:*:*:*:*:*`)), [
      'affected notepad++_project notepad++',
    ]);
  });

  // NISTIR 7695, section 6.2.2.4; and CVE-2015-2882 (in.sight_b120\37), CVE-2018-20962 (backpack\crud).
  test('a backslash in a name stays one', () => {
    assert.deepEqual(tokensOf(product(String.raw`cpe:2.3:a:foo\\bar:big\$money_2010:*:*:*:*:*:*:*:*`)), [
      String.raw`affected foo\bar big$money_2010`,
    ]);
    assert.notDeepEqual(
      tokensOf(product(String.raw`cpe:2.3:h:philips:in.sight_b120\\37:-:*:*:*:*:*:*:*`)),
      tokensOf(product('cpe:2.3:h:philips:in.sight_b12037:-:*:*:*:*:*:*:*')),
    );
  });

  test('line ends and tabs in a name do not make other tokens', () => {
    assert.deepEqual(tokensOf(product(null, { vendor: 'a\tb', product: 'c\nd' })), ['plainName a_b c_d']);
  });
});
