import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { CveFacts } from '../../src/analysis/cve/cve-facts.ts';
import { ChangeReader } from '../../src/catalog/history/change-reader.ts';
import { ChangeRecorder } from '../../src/catalog/history/change-recorder.ts';
import { linkHistory } from '../../src/catalog/history/link-history.ts';
import { createCveLoader } from '../../src/catalog/loaders/cve-loader.ts';
import { createTables } from '../../src/catalog/schema.ts';
import { facts } from '../support/facts.ts';

const LAST_FILE = new Date('2024-06-01T00:00:00Z');
const FIRST_SYNC = new Date('2024-06-10T08:00:00Z');
const RECORDS = Array.from({ length: 200 }, (_, number) =>
  facts({ cve_id: `CVE-2024-${1000 + number}`, source: 'cvelist', status: 'PUBLISHED', tags: ['disputed'] }),
);

function databaseOf(records: readonly CveFacts[]): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  createTables(db);
  createCveLoader(db).put(records);
  return db;
}

/** A catalog whose first sync of the CVE List had these records. */
function syncedCatalog(records: readonly CveFacts[]): DatabaseSync {
  const db = databaseOf(records);
  const origin = { source: 'cvelist', file: 'baseline', seenAt: FIRST_SYNC, isBaseline: true } as const;
  const changes = new ChangeRecorder(db, { ...origin, recordsAdditions: false });
  assert.equal(changes.isComparing, false);
  return db;
}

function linked(db: DatabaseSync): string[] {
  const { changes } = new ChangeReader(db).page({ after: 0, seenFrom: null, kinds: null, cves: null, limit: 500 });
  return changes.map(({ cve_id, kind, change, seen_at }) => `${cve_id} ${kind} ${change} ${seen_at}`);
}

test('what changed between the last file and the first sync is seen by that sync; what was published later needs no change', () => {
  const later = facts({ cve_id: 'CVE-2024-5000', source: 'cvelist', published: '2024-06-05T00:00:00.000Z' });
  const [first, second, ...rest] = RECORDS;
  using db = syncedCatalog([{ ...first!, status: 'REJECTED' }, second!, later, ...rest]);
  using imported = databaseOf([first!, ...rest]);
  assert.deepEqual(linkHistory(db, imported, 'cvelist', LAST_FILE), { missing: 1, isLinked: true });
  assert.deepEqual(linked(db), [
    'CVE-2024-1000 status changed 2024-06-10T08:00:00.000Z',
    'CVE-2024-1001 record added 2024-06-10T08:00:00.000Z',
  ]);
  // The same again takes the place of what was there.
  linkHistory(db, imported, 'cvelist', LAST_FILE);
  assert.equal(linked(db).length, 2);
});

test('files that lack more than one record in a hundred do not lead to the catalog', () => {
  using db = syncedCatalog(RECORDS);
  using imported = databaseOf(RECORDS.slice(3));
  assert.deepEqual(linkHistory(db, imported, 'cvelist', LAST_FILE), { missing: 3, isLinked: false });
  assert.deepEqual(linked(db), []);
});

test('without a sync there is nothing to lead to', () => {
  using db = databaseOf(RECORDS);
  using imported = databaseOf(RECORDS);
  assert.equal(linkHistory(db, imported, 'cvelist', LAST_FILE), null);
});
