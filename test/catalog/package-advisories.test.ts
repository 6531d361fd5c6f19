import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createAffectedRange } from '../../src/analysis/packages/affected-range.ts';
import { PackageAdvisoryReader, storedPackageName } from '../../src/catalog/package-advisories.ts';
import { createTables } from '../../src/catalog/schema.ts';
import { startLoad } from '../../src/catalog/start-load.ts';
import type { AdvisoryEntry, PackageAdvisoryEntry } from '../../src/feeds/entries.ts';

function tables(): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  createTables(db);
  return db;
}

function take(db: DatabaseSync, entries: PackageAdvisoryEntry[]): void {
  const store = startLoad(db, 'package_advisory');
  store.put(entries);
  store.finish?.(null);
}

function osv(ecosystem: string, name: string, id: string): PackageAdvisoryEntry {
  const advisory = {
    id,
    source: 'osv' as const,
    aliases: [],
    title: null,
    severity: null,
    cvss_v3: null,
    published: null,
    spans: [createAffectedRange({})],
    versions: [],
  };
  return { ecosystem, name, advisory };
}

function github(id: string, name: string, range: string, of: Partial<AdvisoryEntry> = {}): AdvisoryEntry {
  return {
    ghsa_id: id,
    cve_id: null,
    summary: 'A flaw',
    severity: 'high',
    published: null,
    updated: null,
    withdrawn: null,
    url: 'https://github.com/advisories',
    packages: [{ ecosystem: 'pip', name, vulnerable_range: range, first_patched: null }],
    facts: null,
    ...of,
  };
}

const ids = (db: DatabaseSync, ecosystem: string, name: string): string[] =>
  new PackageAdvisoryReader(db).forPackage(ecosystem, name).map(({ id }) => id);

test("an ecosystem's archive replaces what OSV said of that ecosystem, and nothing else", () => {
  const db = tables();
  take(db, [osv('npm', 'a', 'A-1'), osv('npm', 'b', 'B-1'), osv('PyPI', 'a', 'P-1')]);
  startLoad(db, 'advisory').put([github('GHSA-2222-2222-2222', 'a', '< 1')]);
  take(db, [osv('npm', 'a', 'A-2')]);
  assert.deepEqual(ids(db, 'npm', 'a'), ['A-2']);
  assert.deepEqual(ids(db, 'npm', 'b'), []);
  assert.deepEqual(ids(db, 'PyPI', 'a').toSorted(), ['GHSA-2222-2222-2222', 'P-1']);
});

test('an advisory of GitHub that names other packages than before leaves the old ones, and all when it is withdrawn', () => {
  const db = tables();
  const id = 'GHSA-2222-2222-2222';
  const put = (advisory: AdvisoryEntry): void => startLoad(db, 'advisory').put([advisory]);
  put(github(id, 'one', '< 1'));
  put(github(id, 'two', '< 2'));
  assert.deepEqual([ids(db, 'PyPI', 'one'), ids(db, 'PyPI', 'two')], [[], [id]]);
  put(github(id, 'two', '< 2', { withdrawn: '2025-01-01T00:00:00.000Z' }));
  assert.deepEqual(ids(db, 'PyPI', 'two'), []);
});

test('names are found as the ecosystem takes them for the same, a Maven artifact without its group', () => {
  const db = tables();
  take(db, [
    osv('PyPI', 'Zope.Interface', 'P-1'),
    osv('NuGet', 'Newtonsoft.Json', 'N-1'),
    osv('npm', 'Case', 'C-1'),
    osv('Maven', 'org.one:core', 'M-1'),
    osv('Maven', 'org.two:core', 'M-2'),
    osv('Maven', 'org.one:core-api', 'M-3'),
  ]);
  assert.deepEqual(ids(db, 'PyPI', 'zope_interface'), ['P-1']);
  assert.deepEqual(ids(db, 'NuGet', 'newtonsoft.json'), ['N-1']);
  assert.deepEqual(ids(db, 'npm', 'case'), []);
  assert.deepEqual(ids(db, 'Maven', 'org.two:core'), ['M-2']);
  assert.deepEqual(ids(db, 'Maven', 'core'), ['M-1', 'M-2']);
});

test('one advisory that names a package in several spellings says all of it of the one package', () => {
  const spans = (db: DatabaseSync, name: string) =>
    new PackageAdvisoryReader(db)
      .forPackage('PyPI', name)
      .map((one) => one.spans.map(({ end_excluding }) => end_excluding));
  const ranges: [string, string][] = [
    ['Zope.Interface', '< 1.0'],
    ['zope-interface', '>= 2.0, < 2.5'],
    ['zope_interface', '>= 2.0, < 2.5'],
  ];
  const packages = ranges.map(([name, vulnerable_range]) => ({
    ecosystem: 'pip',
    name,
    vulnerable_range,
    first_patched: null,
  }));
  const id = 'GHSA-2222-2222-2222';
  const db = tables();
  startLoad(db, 'advisory').put([github(id, 'x', '< 9', { packages })]);
  assert.deepEqual(spans(db, 'zope.interface'), [['1.0', '2.5']]);
  startLoad(db, 'advisory').put([github(id, 'x', '< 9', { packages: packages.slice(0, 1) })]);
  assert.deepEqual(spans(db, 'zope.interface'), [['1.0']], 'what it no longer says is gone');

  const [one, two] = ['Zope.Interface', 'zope-interface'].map((name) => osv('PyPI', name, 'P-1'));
  one!.advisory.spans = [createAffectedRange({ end_excluding: '1.0' })];
  two!.advisory.spans = [createAffectedRange({ start_including: '2.0', end_excluding: '2.5' })];
  two!.advisory.versions = ['9.9'];
  const other = tables();
  take(other, [one!, two!]);
  assert.deepEqual(spans(other, 'zope_interface'), [['1.0', '2.5']]);
  assert.deepEqual(new PackageAdvisoryReader(other).forPackage('PyPI', 'zope.interface')[0]?.versions, ['9.9']);
});

test('which ecosystems OSV was synced for', () => {
  const db = tables();
  take(db, [osv('npm', 'a', 'A-1')]);
  startLoad(db, 'advisory').put([github('GHSA-2222-2222-2222', 'a', '< 1')]);
  const packages = new PackageAdvisoryReader(db);
  assert.deepEqual([packages.hasOsvAdvisories('npm'), packages.hasOsvAdvisories('PyPI')], [true, false]);
});

test('a look-up reads one range of the index', () => {
  const db = tables();
  const plans = [
    ['SELECT entry FROM package_advisory WHERE ecosystem = ? AND package = ?', 'npm', storedPackageName('npm', 'a')],
    ["SELECT entry FROM package_advisory WHERE ecosystem = 'Maven' AND package >= ? AND package < ?", 'a:', 'a;'],
  ] as const;
  for (const [sql, ...values] of plans) {
    const [plan] = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[];
    assert.match(plan!.detail, /^SEARCH package_advisory USING PRIMARY KEY/);
  }
});
