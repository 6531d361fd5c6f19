import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Catalog } from '../../src/catalog/catalog.ts';
import { listDatabaseFiles, readCurrentGeneration } from '../../src/catalog/generation.ts';
import { ChangeReader } from '../../src/catalog/history/change-reader.ts';
import { removeOldChanges } from '../../src/catalog/history/change-recorder.ts';
import { importHistory, type HistoryImportEvent } from '../../src/catalog/history/import-history.ts';
import { recoverOrCreateCatalog } from '../../src/catalog/recover-or-create-catalog.ts';
import { SCHEMA_VERSION } from '../../src/catalog/schema.ts';

import { makeMirror, nvdRecord } from '../support/nvd-mirror.ts';
import { startService } from '../support/service.ts';

const LATER = '2024-06-02T00:00:00.000';
const CVE = 'CVE-2002-0001';

const metric = (vector: string, baseScore: number, baseSeverity: string) => ({
  cvssMetricV31: [
    {
      source: 'nvd@nist.gov',
      type: 'Primary',
      cvssData: { version: '3.1', vectorString: vector, baseScore, baseSeverity },
    },
  ],
});
const HIGH = metric('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', 7.5, 'HIGH');
const CRITICAL = metric('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8, 'CRITICAL');

function changesIn(folder: string, query: { after?: number | 'latest'; limit?: number } = {}) {
  const catalog = new Catalog(folder, readCurrentGeneration(folder)!);
  try {
    const page = catalog.changes.page({ after: 0, seenFrom: null, kinds: null, cves: null, limit: 1000, ...query });
    return {
      ...page,
      historyId: catalog.changes.historyId,
      reach: catalog.changes.reach,
      restarts: catalog.changes.restarts,
    };
  } finally {
    catalog.close();
  }
}
const told = ({ changes }: ReturnType<typeof changesIn>) =>
  changes.map(({ cve_id, kind, change, field, source }) => [cve_id, kind, change, field, source].join(' '));

suite('what a sync records', () => {
  test('is nothing at the first sync, then each field that changed, with both times', async (t) => {
    const mirror = makeMirror(t);
    mirror.kev([CVE]);
    mirror.nvd(2002, [nvdRecord(CVE, { metrics: HIGH }), nvdRecord('CVE-2002-0002')]);
    await mirror.sync();
    assert.deepEqual(told(changesIn(mirror.data)), []);
    assert.deepEqual([...changesIn(mirror.data).reach.keys()].sort(), ['kev', 'nvd']);

    mirror.kev(['CVE-2002-0002']);
    mirror.nvd('modified', [
      nvdRecord(CVE, { metrics: CRITICAL, lastModified: LATER }),
      nvdRecord('CVE-2002-0002', { vulnStatus: 'Rejected', lastModified: LATER }),
      nvdRecord('CVE-2002-0003', { lastModified: LATER }),
    ]);
    await mirror.sync();
    const seen = changesIn(mirror.data);
    assert.deepEqual(told(seen), [
      'CVE-2002-0002 kev added entry kev',
      `${CVE} kev removed entry kev`,
      `${CVE} score changed nvd@nist.gov CVSS 3.1 nvd`,
      'CVE-2002-0002 status changed status nvd',
      'CVE-2002-0003 record added nvd nvd',
    ]);
    const score = seen.changes[2]!;
    assert.equal(score.at, '2024-06-02T00:00:00.000Z');
    assert.deepEqual((score.before as { score: number }).score, 7.5);
    assert.deepEqual((score.after as { score: number }).score, 9.8);
    assert.deepEqual(seen.changes[3]!.after as string, 'Rejected');

    // The same again is no change, and a cursor goes on where it was.
    await mirror.sync();
    assert.deepEqual(changesIn(mirror.data, { after: seen.last }).changes, []);
    mirror.kev([CVE, 'CVE-2002-0002']);
    await mirror.sync();
    assert.deepEqual(told(changesIn(mirror.data, { after: seen.last })), [`${CVE} kev added entry kev`]);
  });

  test('is kept for 400 days, and its numbers are not given out again', async (t) => {
    const mirror = makeMirror(t);
    mirror.kev([CVE]);
    mirror.nvd(2002, [nvdRecord(CVE)]);
    await mirror.sync();
    mirror.kev([CVE, 'CVE-2002-0002']);
    const { generation } = await mirror.sync();
    const before = changesIn(mirror.data);
    using db = new DatabaseSync(join(mirror.data, generation!.file));
    removeOldChanges(db, new Date(Date.now() + 399 * 86_400_000));
    assert.equal(db.prepare('SELECT count(*) AS n FROM change').get()!['n'], 1);
    removeOldChanges(db, new Date(Date.now() + 401 * 86_400_000));
    assert.equal(db.prepare('SELECT count(*) AS n FROM change').get()!['n'], 0);
    const reader = new ChangeReader(db);
    assert.equal(reader.last, before.last);
    assert.ok(reader.reach.get('kev')! > before.reach.get('kev')!);
  });

  test('survives a change of the schema, which says since when it has a gap', async (t) => {
    const mirror = makeMirror(t);
    mirror.kev([CVE]);
    mirror.nvd(2002, [nvdRecord(CVE)]);
    await mirror.sync();
    mirror.kev(['CVE-2002-0002', CVE]);
    await mirror.sync();
    const before = changesIn(mirror.data);
    assert.equal(before.changes.length, 1);
    for (const file of listDatabaseFiles(mirror.data)) {
      using db = new DatabaseSync(join(mirror.data, file));
      db.exec(`PRAGMA user_version = ${SCHEMA_VERSION - 1}`);
    }
    await recoverOrCreateCatalog(mirror.data, new Date('2030-01-01T00:00:00Z'));
    const after = changesIn(mirror.data);
    assert.deepEqual(after.changes, before.changes);
    assert.equal(after.historyId, before.historyId);
    assert.deepEqual(after.restarts, ['2030-01-01T00:00:00.000Z']);
  });
});

suite('sextant history import', () => {
  const kevFile = (ids: string[]) =>
    gzipSync(
      JSON.stringify({
        catalogVersion: '2025.01.01',
        dateReleased: '2025-01-01T00:00:00.000Z',
        count: ids.length,
        vulnerabilities: ids.map((cveID) => ({
          cveID,
          vendorProject: 'Acme',
          product: 'Anvil',
          vulnerabilityName: 'Drop',
          dateAdded: '2025-01-01',
          shortDescription: 'It drops.',
          requiredAction: 'Hold it.',
        })),
      }),
    );

  test('compares each file with the last one that could be read, and names the others', async (t) => {
    const mirror = makeMirror(t);
    const folder = join(mirror.root, 'kev/history');
    mkdirSync(folder);
    const write = (day: string, content: Uint8Array) =>
      writeFileSync(join(folder, `known_exploited_vulnerabilities-${day}.json.gz`), content);
    write('2025-01-01', kevFile([CVE]));
    write('2025-01-02', kevFile([CVE, 'CVE-2002-0002']).subarray(0, 60));
    write('2025-01-03', kevFile([CVE, 'CVE-2002-0002']));
    await recoverOrCreateCatalog(mirror.data, new Date());
    const events: HistoryImportEvent[] = [];
    const run = () =>
      importHistory({
        folder: mirror.data,
        from: mirror.root,
        now: () => new Date(),
        report: (event) => events.push(event),
      });
    assert.deepEqual((({ imported, changes, refused }) => [imported, changes, refused])(await run()), [2, 1, 1]);
    assert.deepEqual(
      events.map((event) => [event.type, 'file' in event && event.file.slice(-18, -8)]),
      [
        ['imported', '2025-01-01'],
        ['refused', '2025-01-02'],
        ['imported', '2025-01-03'],
      ],
    );
    const { changes } = changesIn(mirror.data);
    assert.deepEqual(
      changes.map(({ cve_id, seen_at }) => [cve_id, seen_at]),
      [['CVE-2002-0002', '2025-01-03T00:00:00.000Z']],
    );
    assert.equal((await run()).changes, 0);
    assert.equal(changesIn(mirror.data).changes.length, 1);
  });
});

test('the feeds are well formed, have an entity tag, and cost nothing while nothing is new', async (t) => {
  const service = await startService(t);
  const feed = await service.get('/v1/feeds/cves.json?vendor=apache');
  assert.equal(feed.status, 200);
  assert.match(String(feed.headers['content-type']), /^application\/feed\+json/);
  assert.equal(feed.body.version, 'https://jsonfeed.org/version/1.1');
  assert.ok(feed.body.items.length > 0);
  const tag = String(feed.headers['etag']);
  const left = Number(feed.headers['x-ratelimit-remaining']);
  const again = await service.get('/v1/feeds/cves.json?vendor=apache', { 'if-none-match': tag });
  assert.equal(again.status, 304);
  assert.equal(Number(again.headers['x-ratelimit-remaining']), left);
  assert.equal((await service.get('/v1/feeds/changes.json')).status, 200);
  assert.equal((await service.get('/v1/feeds/cves.json?sort=epss_desc')).status, 422);
});

test('changes say which cursors they take', async (t) => {
  const service = await startService(t);
  const { body } = await service.get('/v1/changes?since=2024-01-01');
  assert.match(body.next_cursor, /^[0-9a-f]{8}\.\d+$/);
  assert.equal((await service.get(`/v1/changes?since=${body.next_cursor}`)).status, 200);
  for (const since of ['deadbeef.1', 'yesterday', `${body.next_cursor.split('.')[0]}.99999`])
    assert.equal((await service.get(`/v1/changes?since=${since}`)).status, 422, since);
  assert.equal((await service.get('/v1/changes?kinds=kev,nothing')).status, 422);
  assert.equal((await service.get('/v1/cve/CVE-2021-44228/history')).body.total, 0);
});
