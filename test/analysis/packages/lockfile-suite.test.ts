import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { DocumentError, type LockedPackage } from '../../../src/analysis/packages/lockfiles/locked-package.ts';
import { lockedPackages } from '../../../src/analysis/packages/read-document.ts';
import { readSbomText } from '../../../src/analysis/packages/sbom/read-sbom.ts';
import { sharedPath } from '../../support/shared.ts';

interface Case {
  file: string;
  format: string;
  companions?: string[];
  error?: boolean;
  packages: { name: string; version: string; groups?: string[]; source_commit?: string }[];
}

const folder = sharedPath('suites', 'lockfiles');
const cases: Case[] = folder === null ? [] : JSON.parse(readFileSync(`${folder}/expected.json`, 'utf8'));

describe('public lockfiles, manifests and SBOMs', { skip: folder === null && 'no suites' }, () => {
  for (const of of cases) {
    test(of.file, () => {
      if (of.error === true) {
        assert.throws(() => packagesOf(of), DocumentError);
        return;
      }
      const found = packagesOf(of);
      assert.deepEqual(found.map(nameAndVersion).sort(), of.packages.map(nameAndVersion).sort());
      const whole = found.map(({ name, version, groups, commit }) => marks(name, version, groups, commit));
      const expected = of.packages.map((one) =>
        marks(one.name, one.version, one.groups ?? [], one.source_commit ?? null),
      );
      assert.deepEqual(whole.sort(), expected.sort(), 'groups and commits');
    });
  }
});

function packagesOf({ file, format, companions = [] }: Case): LockedPackage[] {
  const text = readFileSync(`${folder}/${file}`, 'utf8');
  if (format === 'CycloneDX' || format === 'SPDX') return readSbomText(text);
  const base = file.slice(0, file.lastIndexOf('/') + 1);
  // A go.sum is named after its go.mod here.
  const beside = companions.map((path) => [
    path.endsWith('.sum') ? 'go.sum' : path.slice(base.length),
    readFileSync(`${folder}/${path}`, 'utf8'),
  ]);
  return lockedPackages(text, format, Object.fromEntries(beside));
}

function nameAndVersion({ name, version }: { name: string; version: string }): string {
  return `${name}@${version}`;
}

function marks(name: string, version: string, groups: readonly string[], commit: string | null): string {
  return [name, version, groups.toSorted().join('/'), commit ?? ''].join(' ');
}
