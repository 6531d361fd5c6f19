/**
 * What some hundred watches are told of all days of the shared history, against brute force: who a CVE concerns is asked of the operations, for
 * each watch by its own, without the keys by which the matcher finds watches; what changed is read from the table that `history.test.ts`
 * compares with the files.
 */

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { normalizeCpeToken } from '../../src/analysis/cve/cpe.ts';
import { cveIdFromKey } from '../../src/analysis/cve/cve-id.ts';
import { CHANGE_KINDS, CHANGE_TYPES } from '../../src/analysis/cve/field-change.ts';
import { packageLabel } from '../../src/analysis/packages/package-ref.ts';
import type { WatchEvent, WatchSubject } from '../../src/analysis/watch/watch.ts';
import { OwnerWatchBook } from '../../src/watches/book/owner-watch-book.ts';
import { postingOrdinals } from '../../src/catalog/posting-bytes.ts';
import { matchChanges } from '../../src/watches/matching/match-changes.ts';
import { openWatchStore } from '../../src/watches/store/open-watch-store.ts';
import { Dice } from '../../bench/statistics.ts';
import { catalogWithHistory, contextOf, type FullCatalog, noHistory } from '../support/full-catalog.ts';
import { MemoryMatchStore, watchOf } from '../support/memory-match-store.ts';

const MAX_ROWS = 5000;
const KILLS = 5;
const CHILD = fileURLToPath(new URL('../support/match-child.ts', import.meta.url));
const dice = new Dice(20_261_126);
const sample = <Item>(items: readonly Item[], count: number): Item[] =>
  Array.from({ length: Math.min(count, items.length) }, () => items[Math.floor(dice.next() * items.length)]!);

/** A recorded change. `batch`: the file and time of it. */
interface Row {
  cve: string;
  batch: string;
  kind: string;
  change: string;
  field: string;
}

suite('watches over real days', { skip: noHistory }, () => {
  let lab: FullCatalog;
  let rows: Map<string, Row[]>;
  let subjects: WatchSubject[];
  const store = new MemoryMatchStore();

  before(async () => {
    lab = contextOf(await catalogWithHistory());
    const file = join(lab.folder, lab.catalog.generation.file);
    using db = new DatabaseSync(file, { readOnly: true });
    rows = readRows(db);
    subjects = drawSubjects(db, rows);
    for (const [number, subject] of subjects.entries()) store.add(watchOf(`wat_${number}`, subject));
    store.cursor = { historyId: lab.catalog.changes.historyId, seq: 0, seenAt: 0 };
    const deps = { store, catalog: lab.services.catalog, ask: lab.ask, now: lab.services.now };
    const { changes, gaps } = await matchChanges(deps, new AbortController().signal);
    assert.equal(changes, [...rows.values()].flat().length);
    assert.deepEqual(gaps, []);
  });
  after(() => lab?.services.catalog.close());

  test('are told each change that concerns them once, and no other one', async () => {
    using db = new DatabaseSync(join(lab.folder, lab.catalog.generation.file), { readOnly: true });
    // Its products have names of other vendors, too: `emc:networker` is Dell's.
    const ofVendor = db.prepare(
      `SELECT cves FROM posting WHERE kind IN (0, 3) AND (vendor = ?1 OR (vendor, product) IN (
         SELECT vendor, product FROM product_identity
         WHERE vendor <> '' AND identity IN (SELECT identity FROM product_identity WHERE vendor = ?1)))`,
    );
    const exploited = db.prepare("SELECT cve, entry ->> 'vendor_project' AS vendor FROM kev").all() as {
      cve: number;
      vendor: string;
    }[];
    const exploitedOf = (vendor: string): string[] =>
      exploited.filter((entry) => normalizeCpeToken(entry.vendor) === vendor).map(({ cve }) => cveIdFromKey(cve));
    const cvesOfVendor = (vendor: string): string[] => [
      ...exploitedOf(vendor),
      ...(ofVendor.all(vendor) as { cves: Uint8Array<ArrayBuffer> }[]).flatMap(({ cves }) =>
        Array.from(postingOrdinals(cves, lab.catalog.cveColumns.size), (ordinal) =>
          cveIdFromKey(lab.catalog.cveColumns.key[ordinal]!),
        ),
      ),
    ];
    const byWatch = Map.groupBy(store.events.values(), ({ watch_id }) => watch_id);
    let compared = 0;
    for (const [number, subject] of subjects.entries()) {
      const concerned = await cvesOf(subject, lab.ask, cvesOfVendor);
      const expected = new Set<string>();
      for (const cve of concerned.keys()) {
        for (const { batch, kind, change, field } of rows.get(cve) ?? [])
          if (!['weakness', 'reference', 'product'].includes(kind))
            expected.add([cve, batch, kind, change, field].join(' '));
      }
      const told: string[] = [];
      for (const event of byWatch.get(`wat_${number}`) ?? []) {
        assert.ok(event.about.kind === 'cve');
        const { cve_id } = event.about;
        for (const { source, seen_at, kind, change, field } of event.changes)
          if (kind !== 'product') told.push([cve_id, `${source} ${seen_at}`, kind, change, field].join(' '));
        if (concerned.has(cve_id)) assert.equal(event.status, concerned.get(cve_id), `${cve_id} ${event.why}`);
      }
      const label = JSON.stringify(subject).slice(0, 200);
      const have = new Set(told);
      assert.deepEqual(
        [...have].filter((one) => !expected.has(one)).slice(0, 5),
        [],
        `told, and not expected: ${label}`,
      );
      assert.deepEqual([...expected].filter((one) => !have.has(one)).slice(0, 5), [], `not told: ${label}`);
      compared += expected.size;
    }
    assert.ok(compared > 1000, `${compared} changes were compared`);
  });

  test('ranges of products are told where the status changes: of one state of the catalog at most once', () => {
    const seen = new Set<string>();
    for (const { watch_id, about, changes } of store.events.values()) {
      if (!changes.some(({ kind }) => kind === 'product')) continue;
      assert.ok(about.kind === 'cve');
      const pair = `${watch_id} ${about.cve_id}`;
      assert.ok(!seen.has(pair), pair);
      seen.add(pair);
      const first = [...store.events.values()].find(
        (event) => event.watch_id === watch_id && event.about.kind === 'cve' && event.about.cve_id === about.cve_id,
      );
      assert.ok(first!.changes.some(({ kind }) => kind === 'product'));
    }
    assert.ok(seen.size > 0, `${seen.size} pairs`);
  });

  test('a matcher that is killed again and again tells the same', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'watches-'));
    t.after(() => rm(folder, { recursive: true }));
    const settings = { dataDir: folder, secret: null, databaseUrl: null };
    const ids = new Map<string, number>();
    const past = (): Date => new Date('2020-01-01T00:00:00Z');
    const open = await openWatchStore(settings, past);
    const { conditions, schedule } = watchOf('', subjects[0]!);
    const book = new OwnerWatchBook('local', {
      store: open,
      rules: { allowedPrivate: [], mailTo: [] },
      now: past,
    });
    for (const [number, subject] of subjects.entries()) {
      const given = { name: null, subject, conditions, schedule, channels: [] };
      ids.set((await book.create(given)).watch.id, number);
    }
    await open.matches.commitMatches(
      null,
      store.cursor === null ? assert.fail() : { ...store.cursor, seq: 0, seenAt: 0 },
      [],
    );
    let kills = 0;
    for (;;) {
      const child = fork(CHILD, [lab.folder, folder], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      const exit = once(child, 'exit');
      // After a transaction, before or while the next one is written, or a moment later.
      let messages = kills < KILLS ? dice.between(1, 3) : Infinity;
      child.on('message', () => {
        if (--messages === 0) child.kill('SIGKILL');
      });
      const [code, signal] = await exit;
      if (signal !== 'SIGKILL') {
        assert.equal(code, 0);
        break;
      }
      kills++;
    }
    assert.ok(kills > 1, `${kills} kills`);
    const told: string[] = [];
    for (let after: string | null = null; ; ) {
      const page = await book.events(null, { after, since: new Date(0), limit: 500 });
      told.push(...page.events.map((event) => contentOf(event, ids.get(event.watch_id)!)));
      if (!page.hasMore) break;
      after = page.next;
    }
    await open.close();
    const expected = Array.from(store.events.values(), (event) => contentOf(event, Number(event.watch_id.slice(4))));
    assert.deepEqual(told.toSorted(), expected.toSorted());
  });
});

/** An event without its ids, which have the id of the watch in them. */
function contentOf({ id: _, watch_id: _watch, ...event }: WatchEvent, number: number): string {
  return JSON.stringify({ number, ...event });
}

function readRows(db: DatabaseSync): Map<string, Row[]> {
  const found = db
    .prepare(
      `SELECT c.cve, c.kind, c.type, c.field, b.source, b.seen_at FROM change c JOIN change_batch b ON b.id = c.batch ORDER BY seq`,
    )
    .all() as { cve: number; kind: number; type: number; field: string; source: string; seen_at: number }[];
  return Map.groupBy(
    found.map(({ cve, kind, type, field, source, seen_at }) => ({
      cve: cveIdFromKey(cve),
      batch: `${source} ${new Date(seen_at).toISOString()}`,
      kind: CHANGE_KINDS[kind]!,
      change: CHANGE_TYPES[type]!,
      field,
    })),
    ({ cve }) => cve,
  );
}

/** CVEs that concern a watch, with the status of its version (null: it has none), as the operations say. */
async function cvesOf(
  subject: WatchSubject,
  ask: FullCatalog['ask'],
  cvesOfVendor: (vendor: string) => string[],
): Promise<Map<string, WatchEvent['status']>> {
  const of = async (operation: string, input: Record<string, unknown>, version: string | null) => {
    const found = new Map<string, WatchEvent['status']>();
    for (let offset: number | null = 0; offset !== null && offset <= MAX_ROWS; ) {
      const page: Record<string, any> = await ask(operation, { ...input, limit: 200, offset });
      for (const { cve_id, status } of page['results'])
        if (version === null) found.set(cve_id, null);
        else if (status === 'affected') found.set(cve_id, status);
      offset = page['next_offset'];
    }
    return found;
  };
  const withVersion = (input: Record<string, unknown>, version: string | null) =>
    of('affected_check', version === null ? input : { ...input, version }, version);
  switch (subject.kind) {
    case 'cve':
      return new Map([[subject.cve_id, null]]);
    case 'product': {
      const { vendor, product, version } = subject;
      return withVersion(vendor === null ? { product } : { vendor, product }, version);
    }
    case 'package':
      return withVersion({ purl: subject.purl }, subject.version);
    case 'vendor':
      return new Map(cvesOfVendor(subject.vendor).map((cve) => [cve, null]));
    case 'search':
      return of('cve_search', { ...subject.filters }, null);
    case 'components': {
      const found = new Map<string, WatchEvent['status']>();
      for (const { purl, cpe, version } of subject.components) {
        const own = await withVersion(purl === null ? { cpe } : { purl }, version ?? '');
        for (const cve of own.keys()) found.set(cve, 'affected');
      }
      return found;
    }
    default:
      return assert.fail(subject.kind);
  }
}

/** Watches of what changed, and of what did not; of products under all kinds of names. */
function drawSubjects(db: DatabaseSync, rows: ReadonlyMap<string, Row[]>): WatchSubject[] {
  const cves = [...rows.keys()];
  const exploited = cves.filter((cve) => rows.get(cve)!.some(({ kind }) => kind === 'kev'));
  const small = db
    .prepare(
      `SELECT vendor, product, sum(length(cves)) / 4 AS count FROM posting WHERE kind IN (0, 3) AND length(vendor) > 1 AND length(product) > 1
       AND vendor NOT IN ('n/a', 'unknown') AND product NOT IN ('n/a', 'unknown') GROUP BY vendor, product HAVING count BETWEEN 1 AND 100`,
    )
    .all() as { vendor: string; product: string; count: number }[];
  const names = small.filter(({ count }) => count >= 10);
  const isSmall = new Set(small.map(({ vendor, product: name }) => `${vendor}:${name}`));
  const ranged = (
    db
      .prepare(`SELECT field, after FROM change WHERE kind = ? AND after IS NOT NULL`)
      .all(CHANGE_KINDS.indexOf('product')) as {
      field: string;
      after: string;
    }[]
  ).flatMap(({ field, after }) => {
    const [vendor = '', name = ''] = field.split(':').map(normalizeCpeToken);
    const exact = (JSON.parse(after) as string[]).find((range) => /^\d[\w.]*$/.test(range));
    return exact === undefined || !isSmall.has(`${vendor}:${name}`) ? [] : [{ vendor, product: name, version: exact }];
  });
  const packages = (
    db.prepare("SELECT DISTINCT ecosystem, entry ->> 'name' AS name FROM package_advisory").all() as {
      ecosystem: string;
      name: string;
    }[]
  )
    .map(({ ecosystem, name }) => packageLabel({ ecosystem, name, version: '' }))
    .filter((label) => label.startsWith('pkg:'));
  const version = (): string => `${dice.between(0, 9)}.${dice.between(0, 9)}.${dice.between(0, 9)}`;
  const product = ({ vendor, product: name }: { vendor: string; product: string }, more: Partial<WatchSubject> = {}) =>
    ({ kind: 'product', vendor, product: name, version: null, ...more }) as WatchSubject;
  return [
    ...[...sample(cves, 60), ...sample(exploited, 40)].map((cve_id): WatchSubject => ({ kind: 'cve', cve_id })),
    ...sample(names, 8).map((name) => product(name, { version: version() })),
    // Versions that became affected.
    ...sample(ranged, 12).map(({ version: affected, ...name }) => product(name, { version: affected })),
    ...sample(names, 4).map((name) => product(name)),
    ...sample(packages, 10).map((purl): WatchSubject => ({ kind: 'package', purl, version: version() })),
    ...sample(packages, 4).map((purl): WatchSubject => ({ kind: 'package', purl, version: null })),
    ...sample(names, 15).map(({ vendor }): WatchSubject => ({ kind: 'vendor', vendor })),
    ...[
      { vendor: 'cisco', kev: true },
      { q: 'wordpress plugin', cvss_min: 9.8, epss_min: 0.01 },
      { cwe_id: 'CWE-502', epss_min: 0.5 },
      { vendor: 'apache', severity: 'CRITICAL' },
      { product: 'chrome', published_after: '2024-09-01' },
    ].map((filters): WatchSubject => ({ kind: 'search', filters })),
    ...Array.from(
      { length: 1 },
      (): WatchSubject => ({
        kind: 'components',
        components: [
          ...sample(packages, 10).map((purl) => ({ purl, cpe: null, version: version() })),
          ...sample(names, 3).map(({ vendor, product: name }) => ({
            purl: null,
            cpe: `cpe:2.3:a:${escaped(vendor)}:${escaped(name)}:*:*:*:*:*:*:*:*`,
            version: version(),
          })),
        ],
      }),
    ),
  ];
}

function escaped(text: string): string {
  return text.replace(/[^a-z0-9._-]/g, (character) => `\\${character}`);
}
