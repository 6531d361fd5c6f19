import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { CveProduct } from '../../../src/analysis/cve/cve-facts.ts';
import { mergeProducts, withoutRepeatedProducts } from '../../../src/analysis/cve/merge-products.ts';
import { product } from '../../support/facts.ts';

const named = (vendor: string | null, name: string, more: Partial<CveProduct> = {}) =>
  product(null, { vendor, product: name, ...more });
const anyVersion = (part: string) => `cpe:2.3:${part}:*:*:*:*:*:*:*:*`;

/** How many rows the NVD's row and that of the CVE List make. */
function rowsOf(nvd: CveProduct, cvelist: CveProduct): number {
  return mergeProducts([
    { source: 'nvd', products: [nvd] },
    { source: 'cvelist', products: [cvelist] },
  ]).length;
}

suite('one row', () => {
  test('CVE-2023-49567: Bitdefender Total Security of the NVD and of the CNA', () => {
    const cpe = anyVersion('a:bitdefender:total_security');
    const until = { end_excluding: '27.0.25.115' };
    const nvd = product(cpe, until);
    assert.deepEqual(
      mergeProducts([
        { source: 'nvd', products: [nvd] },
        { source: 'cvelist', products: [named('Bitdefender', 'Total Security', until), product(cpe, until)] },
      ]),
      [{ ...nvd, sources: ['nvd', 'cvelist'] }],
    );
  });
  for (const [what, cpe, plain] of [
    [
      'a version',
      'cpe:2.3:o:cisco:adaptive_security_appliance_software:9.8.1:*:*:*:*:*:*:*',
      named('Cisco', 'Cisco Adaptive Security Appliance (ASA) Software', { version: '9.8.1' }),
    ],
    [
      "the vendor's long name",
      anyVersion('a:apache:http_server'),
      named('Apache Software Foundation', 'Apache HTTP Server'),
    ],
    ['a vendor in two words', anyVersion('o:redhat:enterprise_linux'), named('Red Hat', 'Enterprise Linux')],
    ['no vendor', anyVersion('a:tukaani:xz'), named(null, 'xz')],
  ] as const) {
    test(what, () => assert.equal(rowsOf(product(cpe), plain), 1));
  }
  test('a start at 0 is no start; a target that one source leaves out', () => {
    const cpe = anyVersion('a:acme:anvil');
    assert.equal(
      rowsOf(
        product(cpe, { end_excluding: '2' }),
        named('acme', 'anvil', { start_including: '0', end_excluding: '2' }),
      ),
      1,
    );
    assert.equal(rowsOf(product('cpe:2.3:a:acme:anvil:*:*:*:*:*:wordpress:*:*'), product(cpe)), 1);
  });
});

suite('two rows', () => {
  const cpe = anyVersion('a:f5:nginx');
  for (const [what, left, right] of [
    ['another vendor in a CPE', product(cpe), product(anyVersion('a:nginx:nginx'))],
    ['another vendor in words', product(cpe), named('Acme', 'nginx')],
    ['other versions', product(cpe, { end_excluding: '1.2' }), named('F5', 'nginx', { end_excluding: '1.3' })],
    ['including and excluding', product(cpe, { end_excluding: '1.2' }), named('F5', 'nginx', { end_including: '1.2' })],
    ['another edition', product('cpe:2.3:a:f5:nginx:*:*:*:*:plus:*:*:*'), product(cpe)],
    ['a platform', product(cpe, { vulnerable: false }), named('F5', 'nginx')],
    ['a package of a registry', product(cpe), named(null, 'nginx', { ecosystem: 'npm' })],
    ['an update', product('cpe:2.3:a:f5:nginx:1.2:rc1:*:*:*:*:*:*'), named('F5', 'nginx', { version: '1.2' })],
    ['a longer name', product(cpe), named('F5', 'NGINX Plus')],
  ] as const) {
    test(what, () => assert.equal(rowsOf(left, right), 2));
  }
});

test('a CPE takes the place of a plain name; rows that configurations point at stay', () => {
  const cpe = anyVersion('a:acme:anvil');
  const list = [named('Acme', 'Anvil'), named('Acme', 'Drop'), product(cpe)];
  assert.deepEqual(
    withoutRepeatedProducts(list).map((row) => row.cpe ?? row.product),
    [cpe, 'Drop'],
  );
  assert.deepEqual(withoutRepeatedProducts([product(cpe), product(cpe), named('Acme', 'Anvil')], 2).length, 2);
});
