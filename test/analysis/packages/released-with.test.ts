import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readLockfile } from '../../../src/analysis/packages/read-document.ts';

const released = (filename: string, text: string): Record<string, string[] | undefined> => {
  const { read, error } = readLockfile({ text, filename });
  assert.equal(error, null);
  return Object.fromEntries(read!.packages.map(({ name, releasedWith }) => [name, releasedWith]));
};

describe('packages that are released with a direct dependency', () => {
  test('are those that it requires in exactly its own version, also through one of them (Gemfile.lock)', () => {
    const text = `GEM
  remote: https://rubygems.org/
  specs:
    actionpack (6.1.4)
      actionview (= 6.1.4)
      rack (~> 2.0)
    actionview (6.1.4)
    pinned (1.0.0)
    rack (2.2.3)
    rails (6.1.4)
      actionpack (= 6.1.4)
      pinned (= 1.0.0)

DEPENDENCIES
  rails (~> 6.1.4)
`;
    assert.deepEqual(released('Gemfile.lock', text), {
      actionpack: ['rails'],
      actionview: ['rails'],
      // Pinned, but to a version of its own: a later rails may pin any other.
      pinned: undefined,
      rack: undefined,
      rails: undefined,
    });
  });

  test('in package-lock.json, where the range is the version itself', () => {
    const packages = {
      '': { dependencies: { parent: '^2.0.0' } },
      'node_modules/parent': { version: '2.1.0', dependencies: { '@p/core': '2.1.0', loose: '^2.1.0' } },
      'node_modules/@p/core': { version: '2.1.0' },
      'node_modules/loose': { version: '2.1.0' },
    };
    assert.deepEqual(released('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages })), {
      '@p/core': ['parent'],
      loose: undefined,
      parent: undefined,
    });
  });
});
