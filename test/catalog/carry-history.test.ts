import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { cveKey } from '../../src/analysis/cve/cve-id.ts';
import { blockOf, CVES_PER_BLOCK } from '../../src/catalog/epss-changes.ts';
import { dayNumber, EpssHistoryReader } from '../../src/catalog/epss-history.ts';
import { createDatabaseName } from '../../src/catalog/generation.ts';
import { carryHistory } from '../../src/catalog/history/carry-history.ts';
import { createTables } from '../../src/catalog/schema.ts';
import { temporaryFolder } from '../cli/command-line.ts';

const now = new Date('2026-09-01T00:00:00Z');
const A = cveKey('CVE-2024-0001')!;
const B = A + 3;
/** Varints of 1 (no score: 0; 0.00043: 44), of 12,346 (percentile 0.12345) and of 50,001 (score 0.5). */
const [NONE, LOW, PERCENTILE, HIGH] = [[0], [44], [0xba, 0x60], [0xd1, 0x86, 0x03]] as const;

test('scores of catalogs of schema 12, which stored them in another form, are taken over', () => {
  const folder = temporaryFolder();
  const first = (A % CVES_PER_BLOCK) + 1;
  assert.ok(first < 128, 'one byte');
  using earlier = new DatabaseSync(join(folder, createDatabaseName(folder, now)));
  createTables(earlier);
  earlier.exec('ALTER TABLE epss_change RENAME COLUMN changes TO scores; PRAGMA user_version = 12');
  const add = (date: string, bytes: readonly number[]): void => {
    earlier.prepare("INSERT INTO epss_day (day, model) VALUES (?, 'v1')").run(dayNumber(date));
    earlier
      .prepare('INSERT INTO epss_change (block, day, scores) VALUES (?, ?, ?)')
      .run(blockOf(A), dayNumber(date), Uint8Array.from(bytes));
  };
  add('2026-08-01', [first, ...HIGH, ...NONE, ...PERCENTILE, 3, ...LOW, ...NONE, ...PERCENTILE]);
  // The first one has no score any more, and so no percentile; the other one rises, its percentile not known.
  add('2026-08-02', [first, ...NONE, ...HIGH, 3, ...HIGH, ...LOW, 0]);
  using db = new DatabaseSync(':memory:');
  createTables(db);
  carryHistory(folder, db, now);
  const history = new EpssHistoryReader(db);
  assert.deepEqual(history.series(A), [{ date: '2026-08-01', model: 'v1', score: 0.5, percentile: 0.12345 }]);
  assert.deepEqual(history.series(B), [
    { date: '2026-08-01', model: 'v1', score: 0.00043, percentile: 0.12345 },
    { date: '2026-08-02', model: 'v1', score: 0.5, percentile: null },
  ]);
});
