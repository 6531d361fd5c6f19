import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { alpineOrder } from '../../../src/analysis/versions/alpine.ts';
import { debianOrder } from '../../../src/analysis/versions/debian.ts';
import { mavenOrder } from '../../../src/analysis/versions/maven.ts';
import { nugetOrder } from '../../../src/analysis/versions/nuget.ts';
import type { VersionOrder } from '../../../src/analysis/versions/version-order.ts';
import { packagistOrder } from '../../../src/analysis/versions/packagist.ts';
import { pep440Order } from '../../../src/analysis/versions/pep440.ts';
import { rpmOrder } from '../../../src/analysis/versions/rpm.ts';
import { rubygemsOrder } from '../../../src/analysis/versions/rubygems.ts';
import { pubOrder, semverOrder } from '../../../src/analysis/versions/semver.ts';
import { sharedPath } from '../../support/shared.ts';

const folder = sharedPath('suites', 'versions');

const FILES: readonly [file: string, order: VersionOrder][] = [
  ['semver-versions', semverOrder],
  ['nuget-versions', nugetOrder],
  ['pub-versions', pubOrder],
  ['pypi-versions', pep440Order],
  ['pypi-versions-generated', pep440Order],
  ['maven-versions', mavenOrder],
  ['maven-versions-generated', mavenOrder],
  ['packagist-versions', packagistOrder],
  ['packagist-versions-generated', packagistOrder],
  ['rubygems-versions', rubygemsOrder],
  ['rubygems-versions-generated', rubygemsOrder],
  ['debian-versions', debianOrder],
  ['debian-versions-generated', debianOrder],
  ['redhat-versions', rpmOrder],
  ['alpine-versions', alpineOrder],
  ['alpine-versions-generated', alpineOrder],
];

/**
 * Lines made by PHP's version_compare of versions as they are written. Composer normalises them first (VersionParser::normalize),
 * so that `v3.4` is `3.4.0.0`, which comes after its beta.
 */
const OTHERWISE = new Set(['v3.0 < v3.0.0-beta', 'v3.4 < v3.4.0-alpha', 'v4.4 < v4.4.0-beta']);

describe('public comparisons, in both directions', { skip: folder === null && 'no suites' }, () => {
  for (const [file, order] of FILES) {
    test(file, (t) => {
      const wrong = casesOf(file).filter(([a, operator, b]) => {
        const [left, right] = [order.parse(a), order.parse(b)];
        if (left === null || right === null) return true;
        if (OTHERWISE.has(`${a} ${operator} ${b}`)) return order.compare(left, right) <= 0;
        const expected = operator === '<' ? -1 : operator === '>' ? 1 : 0;
        const found = [Math.sign(order.compare(left, right)), -Math.sign(order.compare(right, left))];
        return found.some((sign) => sign !== expected && !(sign === 0 && expected === 0));
      });
      t.diagnostic(`${file}: ${casesOf(file).length - wrong.length} of ${casesOf(file).length}`);
      assert.deepEqual(wrong, []);
    });
  }
});

function casesOf(file: string): [a: string, operator: string, b: string][] {
  const plain = `${folder}/${file}.txt`;
  const text = existsSync(plain) ? readFileSync(plain, 'utf8') : gunzipSync(readFileSync(`${plain}.gz`)).toString();
  return text
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^(?:#|\/\/) /.test(line))
    .map((line) => line.split(' ') as [string, string, string]);
}
