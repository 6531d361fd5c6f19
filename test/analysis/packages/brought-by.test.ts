import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLockfile, readSbom, type DocumentResult } from '../../../src/analysis/packages/read-document.ts';

const broughtBy = ({ read }: DocumentResult): Record<string, string[] | undefined> =>
  Object.fromEntries(read!.packages.map(({ name, version, broughtBy: from }) => [`${name}@${version}`, from]));

test('npm: a package is found as Node finds it, in the nearest node_modules on the way up', () => {
  const packages = {
    '': { dependencies: { a: '1' }, devDependencies: { b: '1' } },
    'node_modules/a': { version: '1.0.0', dependencies: { c: '1' } },
    'node_modules/a/node_modules/c': { version: '1.0.0', dependencies: { d: '1' } },
    'node_modules/b': { version: '1.0.0', dependencies: { c: '2', d: '1' } },
    'node_modules/c': { version: '2.0.0' },
    'node_modules/d': { version: '1.0.0', dependencies: { a: '1' } },
    'node_modules/left-over': { version: '1.0.0' },
  };
  const text = JSON.stringify({ lockfileVersion: 3, packages });
  assert.deepEqual(broughtBy(readLockfile({ text, filename: 'package-lock.json' })), {
    'a@1.0.0': [],
    'c@1.0.0': ['a', 'b'],
    'b@1.0.0': [],
    'c@2.0.0': ['b'],
    'd@1.0.0': ['a', 'b'],
    'left-over@1.0.0': undefined,
  });
});

test('Cargo: what has no source is the project', () => {
  const text = `[[package]]
name = "mine"
version = "0.1.0"
dependencies = ["regex", "log 0.3.9"]
[[package]]
name = "regex"
version = "1.0.0"
source = "registry"
dependencies = ["log 0.4.0"]
[[package]]
name = "log"
version = "0.3.9"
source = "registry"
[[package]]
name = "log"
version = "0.4.0"
source = "registry"
`;
  const from = broughtBy(readLockfile({ text, filename: 'Cargo.lock' }));
  assert.deepEqual([from['regex@1.0.0'], from['log@0.3.9'], from['log@0.4.0']], [[], [], ['regex']]);
});

test('Gemfile: the list at its end is of the project', () => {
  const text = `GEM
  remote: https://rubygems.example/
  specs:
    coderay (1.1.3)
    pry (0.14.1)
      coderay (~> 1.1)

PLATFORMS
  ruby

DEPENDENCIES
  pry (~> 0.14)
`;
  assert.deepEqual(broughtBy(readLockfile({ text, filename: 'Gemfile.lock' })), {
    'coderay@1.1.3': ['pry'],
    'pry@0.14.1': [],
  });
});

test('CycloneDX: dependencies of its subject, circles included; without them it is not known', () => {
  const components = ['a', 'b', 'c'].map((name) => ({
    'bom-ref': `r-${name}`,
    name,
    version: '1',
    purl: `pkg:npm/${name}@1`,
  }));
  const document = {
    bomFormat: 'CycloneDX',
    metadata: { component: { 'bom-ref': 'app' } },
    components,
    dependencies: [
      { ref: 'app', dependsOn: ['r-a'] },
      { ref: 'r-a', dependsOn: ['r-b'] },
      { ref: 'r-b', dependsOn: ['r-a'] },
    ],
  };
  assert.deepEqual(broughtBy(readSbom({ document })), { 'a@1': [], 'b@1': ['a'], 'c@1': undefined });
  assert.deepEqual(broughtBy(readSbom({ document: { bomFormat: 'CycloneDX', components } }))['a@1'], undefined);
});
