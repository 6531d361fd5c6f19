import assert from 'node:assert/strict';
import { test } from 'node:test';
import { genericOrder } from '../../../src/analysis/versions/generic.ts';
import {
  findSupport,
  newestCycleBefore,
  productPurl,
  type SupportedProduct,
} from '../../../src/analysis/support/find-support.ts';
import { ENDOFLIFE_ENTRIES } from '../../feeds/endoflife-fixture.ts';

const PRODUCTS = ENDOFLIFE_ENTRIES.map(({ body }) => body as SupportedProduct);
const NOW = new Date('2026-01-15T12:00:00Z');
const django = (version: string, now = NOW) => findSupport(PRODUCTS, { purl: 'pkg:pypi/Django', version }, now);

test('a version belongs to the cycle with the longest name that it begins with', () => {
  const log4j = (version: string) => findSupport(PRODUCTS, { cpe: 'apache:log4j', version }, NOW);
  assert.deepEqual(log4j('2.14.1'), {
    product: 'log4j',
    cycle: '2',
    is_supported: true,
    ends_at: null,
    source: 'endoflife',
  });
  assert.deepEqual(log4j('2.12.4')?.cycle, '2.12');
  assert.deepEqual([log4j('1.2.17')?.cycle, log4j('1.2.17')?.is_supported], ['1', false]);
  assert.equal(log4j('12.1'), null);
  assert.equal(log4j(''), null);
});

test('the last day has support, the next one has not', () => {
  assert.equal(django('3.2.1', new Date('2024-04-01T23:59:59Z'))?.is_supported, true);
  assert.equal(django('3.2.1', new Date('2024-04-02T00:00:00Z'))?.is_supported, false);
  assert.equal(django('6.0', new Date('2027-05-01T00:00:00Z'))?.is_supported, false);
});

test('where no day is given, what the publisher said counts', () => {
  assert.deepEqual(django('v1.11.29'), {
    product: 'django',
    cycle: '1.11',
    is_supported: false,
    ends_at: null,
    source: 'endoflife',
  });
});

test('an unknown product, cycle or name is null', () => {
  assert.equal(django('4.1'), null);
  assert.equal(findSupport(PRODUCTS, { purl: 'pkg:npm/django', version: '3.2' }, NOW), null);
  assert.equal(findSupport(PRODUCTS, { name: 'apache log4j', version: '1.2' }, NOW)?.cycle, '1');
  assert.equal(findSupport(PRODUCTS, { name: 'log', version: '1.2' }, NOW), null);
});

test('two products under one identifier that disagree are null', () => {
  const [log4j] = PRODUCTS;
  const other = { ...log4j!, product: 'other', cycles: [{ ...log4j!.cycles[0]!, has_ended: true }] };
  assert.equal(findSupport([log4j!, other], { cpe: 'apache:log4j', version: '2.0' }, NOW), null);
});

test('a package URL without what does not name the product', () => {
  assert.equal(productPurl('pkg:npm/%40angular/core@17.0.0?x=1#y'), 'pkg:npm/@angular/core');
  assert.equal(productPurl('pkg:npm/@angular/core'), 'pkg:npm/@angular/core');
});

test('a version beyond all cycles has no release line, and what cannot be compared says nothing', () => {
  const cycle = { released: null, ends_at: null, has_ended: false, extended_ends_at: null };
  const openssl = (...names: [name: string, latest: string][]): SupportedProduct[] => [
    {
      product: 'openssl',
      label: 'OpenSSL',
      aliases: [],
      url: null,
      purls: [],
      cpes: ['openssl:openssl'],
      cycles: names.map(([name, latest]) => ({ ...cycle, name, latest })),
    },
  ];
  const known = openssl(['4.0', '4.0.1'], ['3.5', '3.5.4'], ['1.1.1', '1.1.1w']);
  assert.equal(newestCycleBefore(known, '9.9.9', genericOrder), '4.0');
  assert.equal(newestCycleBefore(known, '4.1', genericOrder), '4.0');
  // A later release of a known line, and a line between others.
  for (const version of ['4.0.7', '3.5.9', '2.0.0', '1.1.1w', 'nonsense']) {
    assert.equal(newestCycleBefore(known, version, genericOrder), null, version);
  }
  assert.equal(newestCycleBefore(openssl(['jdk-21', '21']), '99', genericOrder), null);
  assert.equal(newestCycleBefore([], '9.9.9', genericOrder), null);
});
