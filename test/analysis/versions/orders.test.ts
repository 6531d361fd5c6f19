import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpineOrder } from '../../../src/analysis/versions/alpine.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { debianOrder } from '../../../src/analysis/versions/debian.ts';
import { genericOrder } from '../../../src/analysis/versions/generic.ts';
import { mavenOrder } from '../../../src/analysis/versions/maven.ts';
import { nugetOrder } from '../../../src/analysis/versions/nuget.ts';
import type { VersionOrder } from '../../../src/analysis/versions/version-order.ts';
import { packagistOrder } from '../../../src/analysis/versions/packagist.ts';
import { pep440Order } from '../../../src/analysis/versions/pep440.ts';
import { rpmOrder } from '../../../src/analysis/versions/rpm.ts';
import { rubygemsOrder } from '../../../src/analysis/versions/rubygems.ts';
import { semverOrder } from '../../../src/analysis/versions/semver.ts';

/** In ascending order, each before all that follow; taken from the document that is named. */
const ASCENDING: readonly [from: string, order: VersionOrder, versions: string][] = [
  [
    'Semantic Versioning 2.0.0, section 11',
    semverOrder,
    '1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 2.0.0 2.1.0 2.1.1',
  ],
  [
    'Go modules reference, pseudo-versions',
    semverOrder,
    'v0.0.0-20191109021931-daa7c04131f5 v0.0.0-20200101000000-000000000000 v1.2.3-pre v1.2.3 v1.2.4-0.20191109021931-daa7c04131f5 v1.2.4 v2.0.0+incompatible',
  ],
  [
    'PEP 440, summary of permitted suffixes and relative ordering',
    pep440Order,
    '1.dev0 1.0.dev456 1.0a1 1.0a2.dev456 1.0a12.dev456 1.0a12 1.0b1.dev456 1.0b2 1.0b2.post345.dev456 1.0b2.post345 1.0rc1.dev456 1.0rc1 1.0 1.0+abc.5 1.0+abc.7 1.0+5 1.0.post456.dev34 1.0.post456 1.0.15 1.1.dev1 1!0.1',
  ],
  [
    'POM reference, version order specification',
    mavenOrder,
    '1-alpha 1-beta 1-milestone 1-rc 1-snapshot 1 1-sp 1-foo2 1-foo10 1-1 1.1',
  ],
  ['POM reference, a letter is short for a word before a number only', mavenOrder, '1-a1 1-b1 1-m1 1 1-a 1-b 1-m 1-1'],
  ['apk-tools, text where a number should stand', alpineOrder, '.1 .2 1.r1 1.r2 1'],
  ['Gem::Version documentation', rubygemsOrder, '1.0.a.2 1.0.b1 1.0 1.0.1 1.1.a 1.1.b 1.1 2'],
  ['version_compare of the PHP manual', packagistOrder, '1.0-foo 1.0-dev 1.0-alpha 1.0-beta 1.0-RC1 1.0 1.0pl1 1.1'],
  // Composer, VersionParser::normalize: stability flags, and four numbers.
  ['Composer', packagistOrder, 'v3.4-dev 3.4-alpha1 3.4.0-beta2 v3.4-RC1 3.4 3.4-p1 3.4.0.1 3.4.1 v3.10'],
  ['NuGet package versioning', nugetOrder, '1.0.1-alpha 1.0.1-alpha10 1.0.1-alpha2 1.0.1-beta 1.0.1 1.0.1.1 1.0.2'],
  ['Debian policy 5.6.12', debianOrder, '1.0~~ 1.0~~a 1.0~ 1.0 1.0a 1.0+b 1.0.1 1:0.1'],
  [
    'Debian policy 5.6.12, revisions',
    debianOrder,
    '1.0~rc1-1 1.0 1.0-1~bpo12+1 1.0-1 1.0-1+deb12u1 1.0-1.1 1.0-2 1.0-10 1.0+dfsg-1 1.0-a-1 1.0.1-1',
  ],
  ['Debian policy 5.6.12, epochs', debianOrder, '0:9-1 1:1-1 1:1-2 2:0 10:0'],
  ['rpm-version(7)', rpmOrder, '1.0~rc1 1.0 1.0^git1 1.0a.1 1.0.1 2:0'],
  ['apk-tools', alpineOrder, '1.0_alpha 1.0_rc1 1.0 1.0-r1 1.0_p1 1.0a 1.0.1 1.1'],
  // Suffixes of the APKBUILD reference; one before another; what apk cannot read comes first.
  [
    'APKBUILD reference, pkgver',
    alpineOrder,
    '0.1_alpha_pre2 0.1_alpha 0.1_alpha2 0.1_beta 0.1_pre2 0.1_pre10 0.1_rc 0.1-x 0.1 0.1-r1 0.1-r10 0.1_cvs 0.1_svn 0.1_git 0.1_hg 0.1_p 0.1a 0.1b 0.1.1',
  ],
  // As digits after a decimal point, where one begins with zero, but for the first.
  ['apk-tools, zeros at the front', alpineOrder, '1.01 1.010 1.02 1.1 1.2 1.10 02 3 010'],
  [
    'OpenSSL and Apache releases',
    genericOrder,
    '1.0.1-beta1 1.0.1 1.0.1a 1.0.1f 1.0.1g 1.0.2 2.0-beta9 2.0-rc1 2.0 2.0.1',
  ],
];

for (const [from, order, text] of ASCENDING) {
  test(from, () => {
    const versions = text.split(' ');
    for (const [index, version] of versions.entries()) {
      assert.equal(compare(order, version, version), 0, version);
      for (const later of versions.slice(index + 1)) {
        assert.ok(compare(order, version, later) < 0, `${version} < ${later}`);
        assert.ok(compare(order, later, version) > 0, `${later} > ${version}`);
      }
    }
  });
}

/** Different texts of one version. */
const EQUAL: readonly [order: VersionOrder, versions: string][] = [
  [semverOrder, '1.2.3 v1.2.3 =1.2.3 1.2.3+build'],
  [pep440Order, '1.0 1 1.0.0 v1.0 01.0'],
  [pep440Order, '1.0rc1 1.0c1 1.0-RC1 1.0.pre1 1.0_preview_1'],
  [mavenOrder, '1 1.0 1-ga 1.final 1-release 1.0.0'],
  [nugetOrder, '1.0 1.0.0 1.0.0.0 1.00'],
  [rubygemsOrder, '1.0 1 1.0.0'],
  [packagistOrder, '3.4 v3.4 3.4.0 3.4.0.0 V3.4.0'],
  [alpineOrder, '1-r1 1-r01 01-r1'],
  // Broken behind a hyphen: before a valid version, and all alike.
  [alpineOrder, '1-x 1-y 1--z'],
  [debianOrder, '1.0 1.0-0 0:1.0 1.00-00 1.0-'],
  // POM reference: what is trimmed from the end, and from before each hyphen.
  [mavenOrder, '1-foo 1.0.0-foo.0.0 1-FOO 1.0-foo'],
  [mavenOrder, '1-a1 1-alpha-1 1.0-ALPHA1'],
  [mavenOrder, '1.0.0-0.0.0 1 1- 1.'],
  [nugetOrder, '1.0-RC.1 1.0.0-rc.1 1.0-rc.1+build'],
  [rpmOrder, '1.0-1 0:1.0-1 1.00-1 1_0-1'],
];

test('one version written in several ways', () => {
  for (const [order, text] of EQUAL) {
    const [first = '', ...others] = text.split(' ');
    for (const other of others) assert.equal(compare(order, first, other), 0, `${first} = ${other}`);
  }
});

test('what is no version has no order', () => {
  for (const text of ['latest', '^1.0.0', '1.x', '', 'v', '>=1']) assert.equal(semverOrder.parse(text), null, text);
  for (const text of ['latest', '1.0 beta', '']) assert.equal(nugetOrder.parse(text), null, text);
  for (const text of ['a:1', '', '1:', ':1']) assert.equal(debianOrder.parse(text), null, text);
  assert.equal(alpineOrder.parse(''), null);
  for (const text of ['latest', '> 1', '']) assert.equal(rubygemsOrder.parse(text), null, text);
});

test('numbers of any length keep their order, and long versions take no time', () => {
  const started = cpuMs();
  for (const [, order] of ASCENDING) {
    const long = `1.${'9'.repeat(20_000)}`;
    assert.ok(compare(order, long, `${long}0`) < 0);
    for (const part of ['1.', '1-', '.a1', '-0', '1a', '~', '_p1']) order.parse(`1${part.repeat(10_000)}`);
  }
  assert.ok(cpuMs() - started < 5000);
});

function compare(order: VersionOrder, a: string, b: string): number {
  const [left, right] = [order.parse(a), order.parse(b)];
  assert.ok(left !== null, a);
  assert.ok(right !== null, b);
  return order.compare(left, right);
}
