import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { cveKey } from '../../src/analysis/cve/cve-id.ts';
import type { CveFacts } from '../../src/analysis/cve/cve-facts.ts';
import { CveDossierReader } from '../../src/catalog/cve-dossier.ts';
import { dayNumber } from '../../src/catalog/epss-history.ts';
import { ChangeReader } from '../../src/catalog/history/change-reader.ts';
import { ChangeRecorder } from '../../src/catalog/history/change-recorder.ts';
import { DossierReaderAsOf } from '../../src/catalog/history/dossier-as-of.ts';
import { createTables } from '../../src/catalog/schema.ts';
import { SharedTexts } from '../../src/catalog/shared-texts.ts';
import { startLoad } from '../../src/catalog/start-load.ts';
import type { AdvisoryEntry, EntryKind, ExploitEntry } from '../../src/feeds/entries.ts';
import type { FeedId } from '../../src/feeds/feed.ts';
import { facts } from '../support/facts.ts';

const CVE = 'CVE-2024-1000';

/** A database of which each source was first seen on 1 June 2024; `load` gives what it has on a day. */
function history() {
  const db = new DatabaseSync(':memory:');
  createTables(db);
  const load = <Kind extends EntryKind>(day: string, source: FeedId, kind: Kind, entries: readonly unknown[]): void => {
    const isBaseline = db.prepare('SELECT 1 FROM change_batch WHERE source = ?').get(source) === undefined;
    const seenAt = new Date(`${day}T12:00:00Z`);
    const changes = new ChangeRecorder(db, { source, file: 'a', seenAt, isBaseline, recordsAdditions: true });
    const loader = startLoad(db, kind, 'a', changes);
    loader.put(entries as never);
    loader.finish?.(null);
  };
  const asOf = (day: string, id = CVE) => {
    const dossiers = new CveDossierReader(db, {}, SharedTexts.inCatalog(db));
    const reader = new DossierReaderAsOf(dossiers, new ChangeReader(db), dayNumber(day));
    return reader.dossier(cveKey(id)!, true, null)?.dossier ?? null;
  };
  return { load, asOf };
}
const exploit = (edb_id: number, ...cve_ids: string[]): ExploitEntry => ({
  edb_id,
  cve_ids,
  title: 'Drop',
  date_published: '2024-01-01',
  author: null,
  type: 'remote',
  platform: 'linux',
  verified: true,
});
const advisory = (ghsa_id: string, updated: string, of: Partial<CveFacts>): AdvisoryEntry => ({
  ghsa_id,
  cve_id: CVE,
  summary: 'Drop',
  severity: 'high',
  published: '2024-01-02T00:00:00.000Z',
  updated,
  withdrawn: null,
  url: `https://github.com/advisories/${ghsa_id}`,
  packages: [],
  facts: facts({ source: 'ghsa', status: 'reviewed', modified: updated, ...of }),
});

test('exploits that came later were not there, and those that went were', () => {
  const { load, asOf } = history();
  load('2024-06-01', 'nvd', 'cve', [facts(), facts({ cve_id: 'CVE-2024-2000' })]);
  load('2024-06-01', 'exploitdb', 'exploit', [exploit(1, 'CVE-2024-2000'), exploit(2, 'CVE-2024-3000')]);
  load('2024-06-03', 'exploitdb', 'exploit', [exploit(2, 'CVE-2024-3000'), exploit(3, CVE)]);
  const known = (day: string, id: string) => asOf(day, id)?.has_exploits;
  assert.deepEqual([known('2024-06-02', CVE), known('2024-06-03', CVE)], [false, true]);
  assert.deepEqual([known('2024-06-02', 'CVE-2024-2000'), known('2024-06-03', 'CVE-2024-2000')], [true, false]);
});

test('an advisory of GitHub that came later was not there, and what a second one added is undone', () => {
  const { load, asOf } = history();
  const weakness = (cwe_id: string) => ({ cwe_id, source: 'github' });
  const first = advisory('GHSA-2222-2222-2222', '2024-06-02T00:00:00.000Z', { weaknesses: [weakness('CWE-79')] });
  const second = advisory('GHSA-3333-3333-3333', '2024-06-04T00:00:00.000Z', { weaknesses: [weakness('CWE-89')] });
  load('2024-06-01', 'nvd', 'cve', [facts()]);
  load('2024-06-01', 'ghsa', 'advisory', [{ ...first, ghsa_id: 'GHSA-4444-4444-4444', cve_id: null, facts: null }]);
  load('2024-06-02', 'ghsa', 'advisory', [first]);
  load('2024-06-04', 'ghsa', 'advisory', [second]);
  const then = (day: string) => {
    const { sources, weaknesses } = asOf(day)!.record!;
    return { sources, weaknesses: weaknesses.map(({ cwe_id }) => cwe_id) };
  };
  assert.deepEqual(then('2024-06-01'), { sources: ['nvd'], weaknesses: [] });
  assert.deepEqual(then('2024-06-03'), { sources: ['nvd', 'ghsa'], weaknesses: ['CWE-79'] });
  assert.deepEqual(then('2024-06-04'), { sources: ['nvd', 'ghsa'], weaknesses: ['CWE-79', 'CWE-89'] });
});

test('a fix that only a reference outside of the history names is not there before the change says so', () => {
  const { load, asOf } = history();
  const commit = { url: 'https://github.com/acme/anvil/commit/0123456789abcdef', tags: [], source: null };
  load('2024-06-01', 'nvd', 'cve', [facts()]);
  load('2024-06-03', 'nvd', 'cve', [facts({ modified: '2024-06-03T00:00:00.000Z', references: [commit] })]);
  const fixOf = (day: string) => {
    const { patch_available, fix } = asOf(day)!;
    return [patch_available, fix.url];
  };
  assert.deepEqual(fixOf('2024-06-03'), [true, commit.url]);
  assert.deepEqual(fixOf('2024-06-02'), [null, null]);
});
