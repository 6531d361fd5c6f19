import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';

/** What `npm ci` brings in is what the lock file says, by its hash. */

interface Locked {
  version?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Locked>;
};
const downloaded = Object.entries(lock.packages).filter(([path, { link }]) => path !== '' && link !== true);
const unproven = downloaded.filter(([, { integrity }]) => integrity === undefined);

/**
 * Development tools for platforms that the registry at hand did not have when the lock file was made. Fewer is better:
 * `node scripts/complete-lock.ts --integrity` with a registry that has them.
 */
const WITHOUT_HASH = 44;

describe('package-lock.json', () => {
  test('every hash is a SHA-512', () => {
    for (const [path, { integrity }] of downloaded) {
      if (integrity !== undefined) assert.match(integrity, /^sha512-[A-Za-z0-9+/]{86}==$/, path);
    }
  });

  test('everything that runs in production has a hash', () => {
    assert.deepEqual(
      unproven.filter(([, { dev }]) => dev !== true).map(([path]) => path),
      [],
    );
  });

  test('so has everything for development on Linux with glibc, on arm64 and x64', () => {
    const fits = (given: string[] | undefined, wanted: string): boolean =>
      given === undefined || given.includes(wanted);
    const here = unproven.filter(
      ([, { os, libc, cpu }]) => fits(os, 'linux') && fits(libc, 'glibc') && (fits(cpu, 'x64') || fits(cpu, 'arm64')),
    );
    assert.deepEqual(
      here.map(([path]) => path),
      [],
    );
  });

  test('what has none is an optional tool of another platform, and there are no more of them', () => {
    for (const [path, { dev, optional, os, version }] of unproven) {
      assert.ok(dev === true && optional === true && os !== undefined && /^\d+\.\d+\.\d+/.test(version ?? ''), path);
    }
    assert.ok(unproven.length <= WITHOUT_HASH, `${unproven.length}`);
  });

  test('no address of a registry stands in it', () => {
    for (const [path, locked] of downloaded) assert.equal('resolved' in locked, false, path);
  });
});
