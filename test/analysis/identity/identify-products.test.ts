import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { identifyProducts, type IdentitySources } from '../../../src/analysis/identity/identify-products.ts';
import { DIFFERENT_PRODUCTS, SAME_PRODUCTS, TYPED_NAMES } from '../../../src/analysis/identity/known-identities.ts';
import { areVendorsRelated, purlOwner } from '../../../src/analysis/identity/names.ts';
import { fullCatalog, noFeeds } from '../../support/full-catalog.ts';
import { LABELLED_PRODUCTS } from './labelled-products.ts';
import { SAMPLED_A } from './sampled-products-a.ts';
import { SAMPLED_B } from './sampled-products-b.ts';

const sources = (of: Partial<IdentitySources>, ...pairs: string[]): IdentitySources => ({
  pairs: new Map(pairs.map((pair, at) => [pair, 100 - at])),
  plainPairs: new Set(),
  purls: [],
  products: [],
  together: [],
  hosts: new Map(),
  ...of,
});
const areSame = (of: Partial<IdentitySources>, a: string, b: string) => {
  const { identityOf } = identifyProducts(sources(of, a, b));
  return identityOf.has(a) && identityOf.get(a) === identityOf.get(b);
};
const package_ = (purl: string, ...pairs: string[]) => pairs.map((pair) => ({ purl, pair }));

test('one name and a common package are one product; a name alone, or a package alone, is not', () => {
  const purls = package_('pkg:github/nginx/nginx', 'f5:nginx', 'igor_sysoev:nginx', 'f5:nginx_unit');
  assert.equal(areSame({ purls }, 'f5:nginx', 'igor_sysoev:nginx'), true);
  assert.equal(areSame({}, 'cisco:spark', 'apache:spark'), false);
  assert.equal(areSame({ purls }, 'f5:nginx', 'f5:nginx_unit'), false);
});

test('related vendors of one name are one; a prefix that makes another vendor is not', () => {
  for (const [a, b] of [
    ['phpbb', 'phpbb_group'],
    ['django_project', 'djangoproject'],
    ['squid', 'squid-cache'],
    ['eclipse', 'eclipse_foundation'],
  ] as const)
    assert.equal(areVendorsRelated(a, b), true, `${a} ${b}`);
  for (const [a, b] of [
    ['redis', 'redis.js'],
    ['mysql', 'mysqljs'],
    ['heimdal', 'heimdalsecurity'],
    ['sun', 'sunos'],
    ['', 'apache'],
    ['apache', 'cisco'],
  ] as const)
    assert.equal(areVendorsRelated(a, b), false, `${a} ${b}`);
});

test('two vendors of one name that stand together in half of the CVEs of the rarer one are one product', () => {
  const together = (count: number) => [{ a: 'digium:asterisk', b: 'sangoma:asterisk', count }];
  assert.equal(areSame({ together: together(60) }, 'digium:asterisk', 'sangoma:asterisk'), true);
  assert.equal(areSame({ together: together(10) }, 'digium:asterisk', 'sangoma:asterisk'), false);
  assert.equal(
    areSame({ together: [{ a: 'redhat:linux', b: 'suse:linux', count: 90 }] }, 'redhat:linux', 'suse:linux'),
    false,
  );
});

test('a name that only two vendors use is one product, a common one or one of two hosts is not', () => {
  assert.equal(areSame({}, 'padl:nss_ldap', 'nss_ldap:nss_ldap'), true);
  const others = ['mcafee:web_gateway', 'b:web_player', 'c:web_mail', 'd:web_x', 'e:web_y', 'f:gateway', 'g:gateway_x'];
  const { identityOf } = identifyProducts(sources({}, 'symantec:web_gateway', ...others, 'h:gateway_y', 'i:gateway_z'));
  assert.equal(identityOf.has('symantec:web_gateway'), false);
  const hosts = new Map([['vim_project:vim', 'visual_studio_code']]);
  assert.equal(areSame({ hosts }, 'vim:vim', 'vim_project:vim'), false);
});

test('a vendor at the start of a name, its own or that of the former maker, and a version at the end are no other product', () => {
  assert.equal(areSame({}, 'adobe:air_sdk', 'adobe:adobe_air_sdk'), true);
  assert.equal(areSame({}, 'netiq:access_manager', 'microfocus:netiq_access_manager'), true);
  const anvil = new Map([
    ['acme:anvil', 42],
    ['acme:anvil_2015', 2],
  ]);
  assert.equal(identifyProducts({ ...sources({}), pairs: anvil }).identityOf.get('acme:anvil_2015'), 'acme:anvil');
  const windows = new Map([
    ['microsoft:windows', 82],
    ['microsoft:windows_2000', 513],
  ]);
  assert.equal(identifyProducts({ ...sources({}), pairs: windows }).identityOf.has('microsoft:windows_2000'), false);
});

test('vendors with most of their names in common are one', () => {
  const names = ['atlant', 'cloud_optics', 'policy_manager_proxy'];
  const pairs = names.flatMap((name) => [`fsecure:${name}`, `withsecure:${name}`]);
  const { identityOf } = identifyProducts(sources({}, ...pairs));
  for (const name of names) assert.equal(identityOf.get(`withsecure:${name}`), `fsecure:${name}`);
});

test('the owner of the repository is the vendor', () => {
  const purls = package_('pkg:github/wildfly/wildfly', 'redhat:wildfly');
  assert.equal(areSame({ purls }, 'redhat:wildfly', 'wildfly:wildfly'), true);
  assert.equal(areSame({ purls }, 'redhat:wildfly', 'jenkins:wildfly'), false);
  assert.equal(purlOwner('pkg:golang/github.com/goharbor/harbor'), 'goharbor');
  assert.equal(purlOwner('pkg:deb/debian/nginx'), null);
});

test('known differences hold against all data', () => {
  const purls = package_('pkg:github/x/git', 'jenkins:git', 'git-scm:git');
  assert.equal(areSame({ purls }, 'jenkins:git', 'git-scm:git'), false);
});

test('aliases come from packages and publishers, and do not hide names of products', () => {
  const pairs = ['apache:log4j', 'apache:http_server', 'other:httpd'];
  const purls = package_('pkg:github/apache/logging-log4j2', 'apache:log4j');
  const { aliases } = identifyProducts(sources({ purls }, ...pairs));
  assert.deepEqual([...aliases.get('log4j2')!], ['apache:log4j']);
  assert.deepEqual([...aliases.get('logginglog4j2')!], ['apache:log4j']);
  assert.equal(aliases.has('log4j'), false);
});

test('the hand table: at least two names each, and a reason', () => {
  for (const { pairs, reason } of [...SAME_PRODUCTS, ...DIFFERENT_PRODUCTS]) {
    assert.ok(new Set(pairs).size >= 2 && reason !== '', pairs.join(' '));
    for (const pair of pairs) assert.match(pair, /^[^:\s]*:\S+$/);
  }
  assert.deepEqual(
    TYPED_NAMES.map(({ name }) => name),
    [...new Set(TYPED_NAMES.map(({ name }) => name))],
  );
});

suite('labelled products, over the feeds', { skip: noFeeds }, async () => {
  if (noFeeds) return;
  const { catalog } = await fullCatalog();
  const nameOf = (pair: string) => ({ vendor: pair.split(':')[0]!, product: pair.slice(pair.indexOf(':') + 1) });
  const listed = (text: string) => text.split(' ').filter((pair) => pair !== '');

  test('recall is at least 0.95, precision at least 0.98', (t) => {
    const missed: string[] = [];
    const wrong: string[] = [];
    let found = 0;
    for (const { pair, same, other } of LABELLED_PRODUCTS) {
      const names = new Set(
        catalog.identities.sameProduct(nameOf(pair)).map(({ vendor, product }) => `${vendor}:${product}`),
      );
      for (const one of listed(same))
        if (names.has(one)) found++;
        else missed.push(one);
      wrong.push(...listed(other).filter((one) => names.has(one)));
    }
    const [recall, precision] = [found / (found + missed.length), found / (found + wrong.length)];
    t.diagnostic(
      `recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)}; missed ${missed.join(', ')}; wrong ${wrong.join(', ')}`,
    );
    assert.ok(LABELLED_PRODUCTS.length >= 60);
    assert.ok(recall >= 0.95 && precision >= 0.98);
  });

  test('products drawn at random: recall is at least 0.9, precision at least 0.9', (t) => {
    const [missed, wrong]: [string[], string[]] = [[], []];
    let found = 0;
    for (const { pair, same, either } of [...SAMPLED_A, ...SAMPLED_B]) {
      const names = catalog.identities.sameProduct(nameOf(pair)).map(({ vendor, product }) => `${vendor}:${product}`);
      found += same.filter((one) => names.includes(one)).length;
      missed.push(...same.filter((one) => !names.includes(one)));
      // A name that no label has counts as wrong.
      wrong.push(...names.filter((one) => one !== pair && !same.includes(one) && !either.includes(one)));
    }
    t.diagnostic(`found ${found}; missed ${missed.join(', ')}; wrong ${wrong.join(', ')}`);
    assert.ok(found / (found + missed.length) >= 0.9 && found / (found + wrong.length) >= 0.9);
  });

  test('what people type leads to the one product that they mean', () => {
    for (const [typed, expected] of [
      ['log4j2', 'apache:log4j'],
      ['apache-log4j2', 'apache:log4j'],
      ['httpd', 'apache:http_server'],
      ['k8s', 'kubernetes:kubernetes'],
    ] as const) {
      const called = catalog.identities.productsCalled(typed).map(({ vendor, product }) => `${vendor}:${product}`);
      assert.deepEqual(called, [expected], typed);
    }
  });
});
