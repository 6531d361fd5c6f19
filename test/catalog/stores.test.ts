import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import type { CveFacts } from '../../src/analysis/cve/cve-facts.ts';
import { EpssScoreReader } from '../../src/catalog/epss-scores.ts';
import { EpssHistoryReader } from '../../src/catalog/epss-history.ts';
import { decodeRecord } from '../../src/catalog/record-codec.ts';
import { cveKeyOfRecord, recordId, recordIdRange, sourceOfRecord } from '../../src/catalog/record-id.ts';
import { createTables } from '../../src/catalog/schema.ts';
import { SharedTexts } from '../../src/catalog/shared-texts.ts';
import { startLoad } from '../../src/catalog/start-load.ts';
import type { AdvisoryEntry, EntryKind, EntryByKind } from '../../src/feeds/entries.ts';
import { cveKey } from '../../src/analysis/cve/cve-id.ts';
import { facts, product } from '../support/facts.ts';

function database(): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  createTables(db);
  return db;
}

function put<K extends EntryKind>(
  db: DatabaseSync,
  kind: K,
  entries: EntryByKind[K][],
  dataTime: string | null = null,
): void {
  const store = startLoad(db, kind);
  store.put(entries);
  store.finish?.(dataTime);
}

/** The record that a source has of a CVE. */
function recordOf(db: DatabaseSync, cveId: string, source: CveFacts['source']): CveFacts | null {
  const row = db
    .prepare('SELECT modified, head, body FROM record WHERE id = ?')
    .get(recordId(cveKey(cveId)!, source)) as any;
  return row === undefined ? null : decodeRecord(cveId, source, row, SharedTexts.inCatalog(db));
}

test('records of one CVE stand side by side, apart from those of the next', () => {
  const key = cveKey('CVE-2024-1000')!;
  const [first, last] = recordIdRange(key);
  for (const source of ['nvd', 'cvelist', 'ghsa', 'starter'] as const) {
    const id = recordId(key, source);
    assert.ok(id >= first && id <= last && id < recordId(key + 1, 'nvd'));
    assert.deepEqual([cveKeyOfRecord(id), sourceOfRecord(id)], [key, source]);
  }
});

suite('of two versions of a record', () => {
  const version = (modified: string | null, status: string) => facts({ modified, status });
  const kept = (...versions: CveFacts[]) => {
    const db = database();
    for (const one of versions) put(db, 'cve', [one]);
    return recordOf(db, 'CVE-2024-1000', 'nvd')?.status;
  };
  const [early, late] = ['2024-01-01T00:00:00.000Z', '2024-01-02T00:00:00.000Z'];
  test('the later modified stays, whichever comes last', () => {
    assert.equal(kept(version(early, 'old'), version(late, 'new')), 'new');
    assert.equal(kept(version(late, 'new'), version(early, 'old')), 'new');
  });
  test('of the same time the one that comes last', () =>
    assert.equal(kept(version(early, 'a'), version(early, 'b')), 'b'));
  test('one whose time is known replaces one whose is not', () => {
    assert.equal(kept(version(null, 'unknown'), version(early, 'known')), 'known');
  });
});

suite('EPSS', () => {
  const day = (db: DatabaseSync, date: string, ...scores: [id: string, score: number][]) =>
    put(
      db,
      'epss',
      scores.map(([cve_id, score]) => ({ cve_id, score, percentile: 0.5 })),
      `${date}T12:00:00.000Z`,
    );
  const history = (db: DatabaseSync, cveId: string) =>
    new EpssHistoryReader(db)
      .changes(cveKey(cveId)!, 10)
      .toReversed()
      .map(({ date, score }) => `${date} ${score}`);

  test('the scores of the day replace all before', () => {
    const db = database();
    day(db, '2025-01-01', ['CVE-2024-0001', 0.1], ['CVE-2024-0002', 0.97565]);
    day(db, '2025-01-02', ['CVE-2024-0002', 0.5]);
    const scores = new EpssScoreReader(db);
    assert.equal(scores.find(cveKey('CVE-2024-0002')!)?.score, 50_000);
    assert.equal(scores.find(cveKey('CVE-2024-0001')!), null);
  });

  test('the history has a row for each change', () => {
    const db = database();
    for (const [date, score] of [
      ['2025-01-01', 0.1],
      ['2025-01-02', 0.1],
      ['2025-01-03', 0.2],
      ['2025-01-04', 0.1],
    ] as const) {
      day(db, date, ['CVE-2024-0001', score]);
    }
    assert.deepEqual(history(db, 'CVE-2024-0001'), ['2025-01-01 0.1', '2025-01-03 0.2', '2025-01-04 0.1']);
  });

  test('a second file of the same day corrects it', () => {
    const db = database();
    day(db, '2025-01-01', ['CVE-2024-0001', 0.1]);
    day(db, '2025-01-01', ['CVE-2024-0001', 0.3]);
    assert.deepEqual(history(db, 'CVE-2024-0001'), ['2025-01-01 0.3']);
  });
});

function advisory(ghsa_id: string, cve_id: string | null, more: Partial<CveFacts> = {}): AdvisoryEntry {
  const given = {
    source: 'ghsa',
    status: 'reviewed',
    published: '2024-01-01T00:00:00.000Z',
    modified: '2024-01-01T00:00:00.000Z',
  } as const;
  return {
    ghsa_id,
    cve_id,
    summary: 'A flaw',
    severity: 'high',
    published: given.published,
    updated: given.modified,
    withdrawn: null,
    url: `https://github.com/advisories/${ghsa_id}`,
    packages: [],
    facts: cve_id === null ? null : facts({ cve_id, ...given, ...more }),
  };
}

suite('advisories', () => {
  const ID = 'CVE-2024-0001';

  test('all of one CVE make one record', () => {
    const db = database();
    put(db, 'advisory', [
      advisory('GHSA-1', ID, { products: [product(null, { product: 'a' })], description: null }),
      advisory('GHSA-2', ID, {
        products: [product(null, { product: 'b' })],
        description: 'Words.',
        published: '2023-06-01T00:00:00.000Z',
      }),
    ]);
    const record = recordOf(db, ID, 'ghsa')!;
    assert.deepEqual(
      record.products.map((one) => one.product),
      ['a', 'b'],
    );
    assert.equal(record.published, '2023-06-01T00:00:00.000Z');
    assert.equal(record.description, 'Words.', 'of the one that has any');
  });

  test('a withdrawn one says nothing while another stands', () => {
    const db = database();
    put(db, 'advisory', [advisory('GHSA-1', ID, { rejected: true, status: 'withdrawn' }), advisory('GHSA-2', ID)]);
    assert.deepEqual([recordOf(db, ID, 'ghsa')?.rejected, recordOf(db, ID, 'ghsa')?.status], [false, 'reviewed']);
    put(db, 'advisory', [
      advisory('GHSA-2', ID, { rejected: true, status: 'withdrawn', modified: '2024-02-01T00:00:00.000Z' }),
    ]);
    assert.equal(recordOf(db, ID, 'ghsa')?.rejected, true);
  });

  test('one that now names another CVE leaves nothing at the first', () => {
    const db = database();
    put(db, 'advisory', [advisory('GHSA-1', ID)]);
    put(db, 'advisory', [advisory('GHSA-1', 'CVE-2024-0002')]);
    assert.notEqual(recordOf(db, 'CVE-2024-0002', 'ghsa'), null);
    assert.equal(recordOf(db, ID, 'ghsa'), null);
  });

  test('one that names no CVE any more leaves nothing either', () => {
    const db = database();
    put(db, 'advisory', [advisory('GHSA-1', ID)]);
    put(db, 'advisory', [advisory('GHSA-1', null)]);
    assert.equal(recordOf(db, ID, 'ghsa'), null);
  });

  test('an older copy of one changes nothing: a withdrawal stays, and so do its packages', () => {
    const [early, late] = ['2024-01-01T00:00:00Z', '2024-06-01T00:00:00.000Z'];
    const open = { ...advisory('GHSA-1', ID), updated: early };
    const withdrawn = {
      ...advisory('GHSA-1', ID, { rejected: true, status: 'withdrawn', modified: late }),
      updated: late,
      withdrawn: late,
    };
    const affected = [{ ecosystem: 'npm', name: 'anvil', vulnerable_range: '< 2', first_patched: '2.0.0' }];
    for (const order of [
      [open, withdrawn],
      [withdrawn, open],
      [withdrawn, open, open],
      [open, withdrawn, open],
    ]) {
      const db = database();
      for (const entry of order) put(db, 'advisory', [{ ...entry, packages: affected }]);
      assert.equal(recordOf(db, ID, 'ghsa')?.status, 'withdrawn');
      assert.deepEqual(db.prepare('SELECT * FROM package_advisory').all(), []);
    }
    const db = database();
    put(db, 'advisory', [withdrawn]);
    put(db, 'advisory', [{ ...open, updated: null }]);
    assert.equal(recordOf(db, ID, 'ghsa')?.status, 'reviewed', 'without a time it is taken, as a record is');
  });
});
