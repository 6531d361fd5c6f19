import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMeaning, nearestProducts } from '../../src/operations/cve/lib/product-candidates.ts';

/** How many CVEs name a product (`vendor:product`), and how many of these are known exploited. */
type Counts = Readonly<Record<string, readonly [cves: number, exploited: number]>>;

function catalogOf(counts: Counts, more: { called?: Record<string, string>; packages?: Record<string, string> } = {}) {
  const names = Object.keys(counts).map(readPair);
  const count = (name: { vendor: string; product: string }, at: 0 | 1): number =>
    counts[`${name.vendor}:${name.product}`]?.[at] ?? 0;
  const called = (name: string) => (more.called?.[name] === undefined ? [] : [readPair(more.called[name])]);
  return {
    packagesNamed: (name: string) =>
      Object.entries(more.packages ?? {})
        .filter(([one]) => one === name)
        .map(([one, ecosystem]) => ({ ecosystem, name: one, advisories: 3 })),
    productNamesStartingWith: (start: string) =>
      names
        .filter(({ product }) => product.startsWith(start))
        .map((name) => ({ product: name.product, cves: count(name, 0) })),
    productsCalled: called,
    productsNamed: (product: string) => names.filter((name) => name.product === product),
    productsOfPurl: () => [],
    productsOfVendor: (vendor: string) => names.filter((name) => name.vendor === vendor),
    sameProduct: (name: object) => [name],
    search: ({ productNames, kev }: { productNames: { vendor: string; product: string }[]; kev?: boolean }) => ({
      total: productNames.reduce((sum, name) => sum + count(name, kev === true ? 1 : 0), 0),
    }),
    supportedProducts: () => [],
  } as unknown as Parameters<typeof findMeaning>[1];
}

function readPair(pair: string) {
  const [vendor = '', product = ''] = pair.split(':');
  return { vendor, product };
}

const meant = (words: string, catalog: ReturnType<typeof catalogOf>): string | null => {
  const { meant: one } = findMeaning(words, catalog);
  return one === null ? null : `${one.vendor ?? one.ecosystem}:${one.product}`;
};

// The numbers of CVEs are about those of the NVD.
test('what is called so goes before a rare namesake', () => {
  const catalog = catalogOf(
    { 'ovirt:node': [4, 0], 'nodejs:node.js': [126, 0] },
    { called: { node: 'nodejs:node.js' } },
  );
  assert.equal(meant('node', catalog), 'nodejs:node.js');
  assert.deepEqual(
    findMeaning('node', catalog).candidates.map(({ vendor }) => vendor),
    ['nodejs', 'ovirt'],
  );
});

test('the vendor alone may mean its product', () => {
  const catalog = catalogOf({ 'debian:apache': [1, 0], 'apache:http_server': [264, 5], 'apache:ofbiz': [45, 1] });
  assert.equal(meant('apache', catalog), 'apache:http_server');
});

test('several that are named about as much are a choice', () => {
  const netscaler = {
    'citrix:netscaler': [10, 0],
    'citrix:netscaler_application_delivery_controller_firmware': [47, 3],
  } as const;
  const { candidates, meant: one } = findMeaning('citrix netscaler', catalogOf(netscaler));
  assert.equal(one, null);
  assert.equal(candidates.length, 2);
});

test('a package by its name, also beside its registry', () => {
  const catalog = catalogOf({ 'google:protobuf-java': [6, 0] }, { packages: { protobuf: 'PyPI' } });
  assert.equal(meant('protobuf python', catalog), 'PyPI:protobuf');
  assert.equal(meant('npm protobuf', catalog), null);
});

test('nothing is called so: no candidate, and names that are spelled like it', () => {
  const catalog = catalogOf({ 'openssl:openssl': [241, 1], 'openslp:openslp': [9, 0], 'apache:log4j': [11, 2] });
  assert.deepEqual(findMeaning('opensll', catalog), { candidates: [], meant: null });
  assert.equal(nearestProducts('opensll', catalog)[0], 'openssl');
  assert.deepEqual(nearestProducts('log4shell', catalog), ['log4j']);
  assert.deepEqual(nearestProducts('zzzzzz', catalog), []);
});
