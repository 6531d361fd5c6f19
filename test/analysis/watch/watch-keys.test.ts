import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { packageWatchKey, productWatchKey, watchKeys } from '../../../src/analysis/watch/watch-keys.ts';
import type { WatchSubject } from '../../../src/analysis/watch/watch.ts';

const ofPackage = (purl: string): WatchSubject => ({ kind: 'package', purl, version: null });

describe('keys of watches', () => {
  it('a CVE, a vendor and a search have one', () => {
    assert.deepEqual(watchKeys({ kind: 'cve', cve_id: 'CVE-2021-44228' }), ['cve:CVE-2021-44228']);
    assert.deepEqual(watchKeys({ kind: 'vendor', vendor: 'Apache' }), ['vendor:apache']);
    assert.deepEqual(watchKeys({ kind: 'search', filters: { kev: true } }), ['search']);
  });

  it('spellings of one product have one key', () => {
    const product = (vendor: string | null, name: string) =>
      watchKeys({ kind: 'product', vendor, product: name, version: '1' });
    assert.deepEqual(product('Apache', 'HTTP Server'), ['product:apache:http_server']);
    assert.deepEqual(product('apache', 'http-server'), ['product:apache:http_server']);
    assert.deepEqual(product(null, 'Log4J-2'), [productWatchKey(null, 'log4j2')]);
  });

  it('a package has the name that its registry knows', () => {
    assert.deepEqual(watchKeys(ofPackage('pkg:npm/%40babel/core')), ['package:npm:@babel/core']);
    // PEP 503: one package under four spellings.
    for (const name of ['Flask_Login', 'flask.login', 'flask-login', 'FLASK-LOGIN'])
      assert.deepEqual(watchKeys(ofPackage(`pkg:pypi/${name}`)), [packageWatchKey('PyPI', 'flask-login')]);
    assert.deepEqual(watchKeys(ofPackage('pkg:deb/debian/openssl?distro=debian-12')), ['package:Debian:12:openssl']);
  });

  it('a Java package is found by the product that CVEs name: CVE-2022-22965 names spring_framework', () => {
    const keys = watchKeys(ofPackage('pkg:maven/org.springframework/spring-core'));
    assert.ok(keys.includes('package:Maven:org.springframework:spring-core'));
    assert.ok(
      watchKeys(ofPackage('pkg:maven/org.apache.struts/struts2-core')).includes(productWatchKey(null, 'struts')),
    );
  });

  it('components have the keys of all, each once', () => {
    const components = [
      { purl: 'pkg:npm/lodash', cpe: null, version: '4.17.20' },
      { purl: 'pkg:npm/lodash', cpe: null, version: '4.17.21' },
      { purl: null, cpe: 'cpe:2.3:a:openssl:openssl:3.0.1:*:*:*:*:*:*:*', version: null },
      { purl: 'pkg:generic/curl', cpe: null, version: '8.0.0' },
    ];
    assert.deepEqual(watchKeys({ kind: 'components', components }), [
      'package:npm:lodash',
      'product:openssl:openssl',
      'product::curl',
    ]);
  });

  it('what is examined has none', () => {
    assert.deepEqual(watchKeys({ kind: 'domain', domain: 'example.com' }), []);
    assert.deepEqual(watchKeys({ kind: 'indicator', indicator: '192.0.2.1' }), []);
  });
});
