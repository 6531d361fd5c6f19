import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPicked, productOf } from '../../scripts/starter/product-notation.ts';

test('a product with bounds', () => {
  assert.deepEqual(productOf('a:php:php >=8.1.0 <8.1.29'), {
    cpe: 'cpe:2.3:a:php:php:*:*:*:*:*:*:*:*',
    vendor: null,
    product: null,
    version: null,
    ecosystem: null,
    vulnerable: true,
    start_including: '8.1.0',
    start_excluding: null,
    end_including: null,
    end_excluding: '8.1.29',
  });
  const { start_excluding, end_including } = productOf('o:acme:os >1 <=2');
  assert.deepEqual([start_excluding, end_including], ['1', '2']);
});

test('version, update and software edition stand at their places of CPE 2.3', () => {
  assert.equal(productOf('a:apache:http_server:2.4.49').cpe, 'cpe:2.3:a:apache:http_server:2.4.49:*:*:*:*:*:*:*');
  assert.equal(productOf('a:oracle:jre:1.7.0:update6').cpe, 'cpe:2.3:a:oracle:jre:1.7.0:update6:*:*:*:*:*:*');
  assert.equal(productOf('a:jenkins:jenkins:*:*:lts <2.426.3').cpe, 'cpe:2.3:a:jenkins:jenkins:*:*:*:*:lts:*:*:*');
});

test('anything else is refused', () => {
  for (const text of ['php:php', 'x:php:php', 'a:php', 'a:php:php 8.1', 'a:php:php => 8', 'a:php:php >=8.1.0<9']) {
    assert.throws(() => productOf(text), /not a product/, text);
  }
});

test('a pick is the beginning of vendor, product, version and update', () => {
  const cpe = 'cpe:2.3:a:mozilla:firefox_esr:115.0:-:*:*:*:*:*:*';
  assert.equal(isPicked(cpe, ['mozilla:firefox']), true);
  assert.equal(isPicked(cpe, ['mozilla:firefox:']), false);
  assert.equal(isPicked(cpe, ['google:chrome', 'mozilla:firefox_esr:115.0:-:']), true);
  assert.equal(isPicked(null, ['a']), false);
});
