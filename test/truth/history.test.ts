/** What files of earlier days changed, compared by small readers of their own: every recorded change, and no other one. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { CveProduct } from '../../src/analysis/cve/cve-facts.ts';
import { cveIdFromKey, cveKey } from '../../src/analysis/cve/cve-id.ts';
import { CHANGE_KINDS, CHANGE_TYPES } from '../../src/analysis/cve/field-change.ts';
import { assessReferences } from '../../src/analysis/cve/patch-reference.ts';
import { parseCpe } from '../../src/analysis/cve/cpe.ts';
import { applyChanges, blockOf, CVES_PER_BLOCK, emptyBlock } from '../../src/catalog/epss-changes.ts';
import { Catalog } from '../../src/catalog/catalog.ts';
import { NO_EPSS } from '../../src/catalog/cve-columns.ts';
import { dayNumber, EpssHistoryReader } from '../../src/catalog/epss-history.ts';
import { importHistory } from '../../src/catalog/history/import-history.ts';
import { cvelistFeed } from '../../src/feeds/cvelist/cvelist.ts';
import type { Feed } from '../../src/feeds/feed.ts';
import { kevFeed } from '../../src/feeds/kev.ts';
import { syncInto } from '../support/catalog-of.ts';
import { factsOfCveRecord } from '../../src/feeds/cvelist/record.ts';
import { CveRecord } from '../../src/feeds/cvelist/schema.ts';
import { sharedPath } from '../support/shared.ts';
import { zipFiles } from './raw/files.ts';

const files = sharedPath('feeds-history');
/** Of the records of the CVE List, so many are one whose answers are compared though it may never change. */
const SAMPLED_RECORDS = 400;
/** Of all CVEs, so many are one whose scores are read CVE by CVE, too. */
const SAMPLED_SCORES = 500;

/** `day cve kind change field before after`. */
type Row = string;
const rowOf = (day: string, cve: string, kind: string, change: string, field: string, was: unknown, is: unknown): Row =>
  JSON.stringify([day, cve, kind, change, field, was ?? null, is ?? null]);

suite('the history of real days', { skip: files === null && 'no history of feeds' }, () => {
  let folder: string;
  let db: DatabaseSync;
  let catalog: Catalog;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'history-'));
    // What is known today is what the last files say: the days before are reached from there.
    const feeds = await mkdtemp(join(tmpdir(), 'history-feeds-'));
    await symlink(join(files!, 'cvelistV5'), join(feeds, 'cvelistV5'));
    await mkdir(join(feeds, 'kev'));
    const lastKev = readdirSync(join(files!, 'kev/history')).toSorted().at(-1)!;
    const kev = gunzipSync(readFileSync(join(files!, 'kev/history', lastKev)));
    await writeFile(join(feeds, 'kev/known_exploited_vulnerabilities.json'), kev);
    const now = new Date('2026-09-01T00:00:00Z');
    const synced = [kevFeed, cvelistFeed] as unknown as readonly Feed<'document'>[];
    assert.deepEqual(await syncInto(folder, feeds, synced, now), []);
    await rm(feeds, { recursive: true });
    const refused: unknown[] = [];
    const { generation } = await importHistory({
      folder,
      from: files!,
      now: () => new Date('2026-09-01T00:00:00Z'),
      report: (event) => event.type === 'refused' && refused.push(event),
    });
    assert.deepEqual(refused, []);
    db = new DatabaseSync(join(folder, generation.file), { readOnly: true });
    catalog = new Catalog(folder, generation);
  });
  after(async () => {
    db.close();
    catalog.close();
    await rm(folder, { recursive: true });
  });

  const recorded = (source: string, kinds: readonly string[]): Row[] => {
    const rows = db
      .prepare(
        `SELECT b.seen_at, c.cve, c.kind, c.type, c.field, c.before, c.after FROM change c JOIN change_batch b ON b.id = c.batch
         WHERE b.source = ? ORDER BY seq`,
      )
      .all(source) as {
      seen_at: number;
      cve: number;
      kind: number;
      type: number;
      field: string;
      before: string;
      after: string;
    }[];
    return rows
      .filter(({ kind }) => kinds.includes(CHANGE_KINDS[kind]!))
      .map(({ seen_at, cve, kind, type, field, before: was, after: is }) =>
        rowOf(
          new Date(seen_at).toISOString().slice(0, 10),
          cveIdFromKey(cve),
          CHANGE_KINDS[kind]!,
          CHANGE_TYPES[type]!,
          field,
          JSON.parse(was ?? 'null'),
          JSON.parse(is ?? 'null'),
        ),
      );
  };
  const assertSame = (actual: Row[], expected: Row[]): void => {
    const [have, want] = [actual.toSorted(), expected.toSorted()];
    const [haveSet, wantSet] = [new Set(have), new Set(want)];
    assert.deepEqual(have.filter((row) => !wantSet.has(row)).slice(0, 5), [], 'recorded, and not in the files');
    assert.deepEqual(want.filter((row) => !haveSet.has(row)).slice(0, 5), [], 'in the files, and not recorded');
    assert.deepEqual(have.length, want.length);
  };

  test('all 67 versions of the known-exploited catalog', () => {
    const names: Record<string, string> = {
      vendorProject: 'vendor_project',
      product: 'product',
      vulnerabilityName: 'vulnerability_name',
      dateAdded: 'date_added',
      dueDate: 'due_date',
      requiredAction: 'required_action',
      shortDescription: 'short_description',
      knownRansomwareCampaignUse: 'known_ransomware_use',
      notes: 'notes',
      cwes: 'cwes',
    };
    type Entry = Record<string, unknown> & { cveID: string };
    const value = (field: string, raw: unknown): unknown => {
      if (field === 'knownRansomwareCampaignUse') return raw === 'Known';
      return typeof raw === 'string' ? raw.trim() : raw;
    };
    const told = (entry: Entry | undefined): unknown =>
      entry && {
        vulnerability_name: value('', entry['vulnerabilityName']),
        date_added: entry['dateAdded'],
        due_date: entry['dueDate'],
        known_ransomware_use: entry['knownRansomwareCampaignUse'] === 'Known',
      };
    const rows: Row[] = [];
    const counts = { added: 0, removed: 0, changed: 0 };
    let known: Map<string, Entry> | null = null;
    const days: [day: string, entries: Map<string, Entry>][] = [];
    const versions = readdirSync(join(files!, 'kev/history')).toSorted();
    assert.equal(versions.length, 67);
    for (const name of versions) {
      const day = name.slice(-18, -8);
      const { vulnerabilities } = JSON.parse(gunzipSync(readFileSync(join(files!, 'kev/history', name))).toString());
      const now = new Map((vulnerabilities as Entry[]).map((entry) => [entry.cveID, entry]));
      for (const [id, entry] of known === null ? [] : now) {
        const old = known!.get(id);
        if (old === undefined) {
          counts.added++;
          rows.push(rowOf(day, id, 'kev', 'added', 'entry', null, told(entry)));
          continue;
        }
        let isChanged = false;
        for (const [field, wire] of Object.entries(names)) {
          const [was, is] = [value(field, old[field]), value(field, entry[field])];
          if (JSON.stringify(was) === JSON.stringify(is)) continue;
          isChanged = true;
          rows.push(rowOf(day, id, 'kev', 'changed', wire, was, is));
        }
        if (isChanged) counts.changed++;
      }
      for (const [id, entry] of known ?? []) {
        if (now.has(id)) continue;
        counts.removed++;
        rows.push(rowOf(day, id, 'kev', 'removed', 'entry', told(entry), null));
      }
      known = now;
      days.push([day, now]);
    }
    const ids = new Set([
      ...rows.map((row) => JSON.parse(row)[1] as string),
      ...[...known!.keys()].filter((_, at) => at % 20 === 0),
    ]);
    for (const [day, entries] of days.filter((_, at) => at % 3 === 0)) {
      const asOf = catalog.asOf(dayNumber(day));
      for (const id of ids) {
        const [entry, kev] = [entries.get(id), asOf.cve(id, false)?.kev ?? null];
        const dates = kev && [kev.vulnerability_name, kev.date_added, kev.due_date, kev.known_ransomware_use];
        assert.deepEqual(
          dates,
          entry === undefined ? null : Object.values(told(entry) as object),
          `${id} as of ${day}`,
        );
        // Of an entry that is gone the history has these four alone.
        if (entry !== undefined && known!.has(id))
          for (const [field, wire] of Object.entries(names))
            assert.deepEqual(
              kev![wire as keyof typeof kev],
              value(field, entry[field]) ?? null,
              `${id} ${wire} as of ${day}`,
            );
      }
    }
    // As the catalog's own history says.
    assert.deepEqual(counts, { added: 153, removed: 1, changed: 100 });
    assertSame(recorded('kev', ['kev']), rows);
  });

  test('the baseline of the CVE List and all 20 days of deltas', () => {
    const rows: Row[] = [];
    const zips = readdirSync(join(files!, 'cvelistV5')).filter((name) => name.endsWith('.zip'));
    const baseline = zips.find((name) => name.includes('_all_CVEs_'))!;
    const deltas = zips
      .filter((name) => name !== baseline)
      .toSorted()
      .map((name) => ({ day: name.slice(0, 10), changes: [...recordsIn(name)].map(readFacts) }));
    assert.equal(deltas.length, 20);
    const isChanged = new Set(deltas.flatMap(({ changes }) => changes.map(({ id }) => id)));
    // Null: a record of the baseline that no day changes. Of these a few are read.
    const known = new Map<string, Facts | null>();
    const [inner] = zipFiles(readFileSync(join(files!, 'cvelistV5', baseline)));
    const isRead = (name: string): boolean => {
      const id = name.slice(name.lastIndexOf('/') + 1, -'.json'.length);
      const isSampled = known.size % SAMPLED_RECORDS === 0;
      known.set(id, null);
      return isSampled || isChanged.has(id);
    };
    for (const { content } of zipFiles(inner!.content, isRead)) {
      const facts = readFacts(JSON.parse(content.toString()));
      known.set(facts.id, facts);
    }
    const days: [day: string, facts: Map<string, Facts | null>][] = [];
    for (const { day, changes } of deltas) {
      for (const facts of changes) {
        const old = known.get(facts.id);
        known.set(facts.id, facts);
        if (old === undefined)
          rows.push(rowOf(day, facts.id, 'record', 'added', 'cvelist', null, { status: facts.status }));
        else for (const change of compareFacts(old!, facts)) rows.push(rowOf(day, facts.id, ...change));
      }
      days.push([day, new Map(known)]);
    }
    const changed = [...new Set(rows.map((row) => JSON.parse(row)[1] as string))];
    const ids = [
      ...changed.filter((_, at) => at % 10 === 0),
      ...[...known.keys()].filter((_, at) => at % SAMPLED_RECORDS === 0),
    ];
    let different = 0;
    for (const [day, facts] of days) {
      const asOf = catalog.asOf(dayNumber(day));
      for (const id of ids) {
        const [expected, record] = [facts.get(id), asOf.cve(id, true)?.record ?? null];
        assert.notEqual(expected, null, `${id} was read`);
        assert.equal(record === null, expected === undefined, `${id} as of ${day}`);
        if (record === null || expected == null) continue;
        if (expected !== known.get(id)) different++;
        const { status, tags, weaknesses, ssvc, metrics, products } = record;
        const scores = metrics.map((metric) =>
          JSON.stringify([
            `${metric.scorer} CVSS ${metric.version}`,
            metric.base_score,
            metric.base_severity,
            metric.vector,
          ]),
        );
        const then = [...expected.scores].flatMap(([field, values]) =>
          values.map((text) => JSON.stringify([field, ...Object.values(JSON.parse(text))])),
        );
        const { exploitation, automatable, technical_impact } = expected.ssvc ?? {};
        assert.deepEqual(
          {
            status,
            tags: tags.toSorted(),
            scores: scores.sort(),
            weaknesses: weaknesses.map(({ source, cwe_id }) => JSON.stringify([source, cwe_id])).sort(),
            ssvc: ssvc && [ssvc.exploitation, ssvc.automatable, ssvc.technical_impact],
            products: sortedRanges(rangesOf(products)),
          },
          {
            status: expected.status,
            tags: expected.tags,
            scores: then.sort(),
            weaknesses: [...expected.weaknesses].sort(),
            ssvc: expected.ssvc && [exploitation, automatable, technical_impact],
            products: sortedRanges(expected.products),
          },
          `${id} as of ${day}`,
        );
      }
    }
    assert.ok(different > 500, `${different} answers are other ones than today`);
    assert.equal(known.size, 44_130);
    assert.equal(rows.filter((row) => row.includes('"record"')).length, 44_130 - 36_706);
    const kinds = ['record', 'status', 'score', 'weakness', 'product', 'reference', 'ssvc', 'fix'];
    assertSame(recorded('cvelist', kinds), rows);
  });

  test('all 22 days of EPSS, and their moves of weight', async () => {
    const days = readdirSync(join(files!, 'epss')).toSorted();
    assert.equal(days.length, 22);
    const stored = db.prepare('SELECT block, day, changes FROM epss_change ORDER BY day').all() as {
      block: number;
      day: number;
      changes: Uint8Array;
    }[];
    const blocks = new Map<number, ReturnType<typeof emptyBlock>>();
    // All by the key of the CVE.
    let last = new NumberOfCve();
    const [everScored, ordinals] = [new NumberOfCve(), new NumberOfCve()];
    const rows: Row[] = [];
    const sampled = new Map<number, [string, number][]>();
    let model: string | undefined;
    for (const [ordinal, key] of catalog.cveColumns.key.entries()) ordinals.set(key, ordinal);
    for (const name of days) {
      const date = name.slice(12, 22);
      const csv = gunzipSync(readFileSync(join(files!, 'epss', name)));
      const dayModel = /model_version:([^,]+)/.exec(csv.toString('latin1', 0, csv.indexOf('\n')))![1];
      for (const { block, day, changes } of stored) {
        if (new Date(day * 86_400_000).toISOString().slice(0, 10) !== date) continue;
        if (!blocks.has(block)) blocks.set(block, emptyBlock());
        applyChanges(blocks.get(block)!, changes);
      }
      const isNewModel = dayModel !== model;
      if (isNewModel) last = new NumberOfCve();
      model = dayModel;
      const column = await catalog.epssHistory.columnUntil(dayNumber(date), catalog.cveColumns);
      let scored = 0;
      const count = eachScore(csv, (key, score) => {
        // A message is made for one that is wrong.
        const found = blocks.get(blockOf(key))!.scores[key % CVES_PER_BLOCK];
        if (found !== score) assert.fail(`${cveIdFromKey(key)} ${date}: ${found}`);
        const ordinal = ordinals.get(key);
        if (ordinal >= 0) {
          scored++;
          if (column[ordinal] !== score) assert.fail(`${cveIdFromKey(key)} as of ${date}: ${column[ordinal]}`);
        }
        if (key % SAMPLED_SCORES === 0) {
          const series = sampled.get(key) ?? [];
          sampled.set(key, [...series, [date, score / 100_000]]);
        }
        const from = last.get(key);
        if (from < 0) {
          if (!isNewModel && everScored.get(key) < 0 && score >= 10_000)
            rows.push(rowOf(date, cveIdFromKey(key), 'epss', 'added', 'score', null, score / 100_000));
          everScored.set(key, 1);
          last.set(key, score);
        } else if (Math.abs(score - from) >= 10_000) {
          rows.push(rowOf(date, cveIdFromKey(key), 'epss', 'changed', 'score', from / 100_000, score / 100_000));
          last.set(key, score);
        }
      });
      let held = 0;
      for (const { scores } of blocks.values()) for (const score of scores) if (score >= 0) held++;
      assert.equal(held, count, date);
      assert.equal(column.filter((score) => score !== NO_EPSS).length, scored, date);
    }
    assertSame(recorded('epss', ['epss']), rows);
    for (const [key, series] of sampled) {
      const id = cveIdFromKey(key);
      for (const [date, score] of series)
        assert.equal(catalog.asOf(dayNumber(date)).cve(id, false)?.epss?.score, score, `${id} as of ${date}`);
    }
    const reader = new EpssHistoryReader(db);
    for (const [key, series] of sampled)
      assert.deepEqual(
        reader
          .series(key)
          .slice(-series.length)
          .map(({ date, score }) => [date, score]),
        series,
      );
  });

  test('is not recorded twice', async () => {
    const events: string[] = [];
    const from = files!;
    const { imported, changes } = await importHistory({
      folder,
      from,
      now: () => new Date('2026-09-02T00:00:00Z'),
      report: ({ type }) => events.push(type),
    });
    assert.deepEqual([imported, changes], [0, 0]);
    assert.deepEqual([...new Set(events)], ['known']);
    assert.equal(events.length, 22 + 67 + 21);
  });
});

/** The CVE records in an archive of one day. */
function* recordsIn(zip: string): Iterable<any> {
  for (const { content } of zipFiles(readFileSync(join(files!, 'cvelistV5', zip)))) {
    if (content[0] !== 0x7b) continue;
    const record = JSON.parse(content.toString());
    if (record.dataType === 'CVE_RECORD') yield record;
  }
}

/** A number for each CVE, by its key; -1: none. The block of the last one is at hand: files name CVEs in order. */
class NumberOfCve {
  readonly #blocks = new Map<number, Int32Array>();
  #at = -1;
  #block: Int32Array = new Int32Array();

  get(key: number): number {
    return this.#blockOf(key)[key % CVES_PER_BLOCK]!;
  }

  set(key: number, value: number): void {
    this.#blockOf(key)[key % CVES_PER_BLOCK] = value;
  }

  #blockOf(key: number): Int32Array {
    const at = blockOf(key);
    if (at === this.#at) return this.#block;
    const block = this.#blocks.get(at) ?? new Int32Array(CVES_PER_BLOCK).fill(-1);
    this.#blocks.set(at, block);
    [this.#at, this.#block] = [at, block];
    return block;
  }
}

/** Visits the rows of an EPSS file and counts them. No text is made of the ids: there are six million in all days. */
function eachScore(csv: Buffer, visit: (key: number, score: number) => void): number {
  const [newline, comma] = [0x0a, 0x2c];
  let count = 0;
  // After the line of the model and that of the names.
  for (let at = csv.indexOf(newline, csv.indexOf(newline) + 1) + 1; at < csv.length; count++) {
    const idEnd = csv.indexOf(comma, at);
    const key = numberIn(csv, at + 4, at + 8) * 1_000_000_000 + numberIn(csv, at + 9, idEnd);
    if (count % 1000 === 0) assert.equal(key, cveKey(csv.toString('latin1', at, idEnd)));
    const score = csv.toString('latin1', idEnd + 1, csv.indexOf(comma, idEnd + 1));
    visit(key, Math.round(Number(score) * 100_000));
    const end = csv.indexOf(newline, idEnd);
    at = end < 0 ? csv.length : end + 1;
  }
  return count;
}

function numberIn(text: Buffer, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 10 + text[at]! - 0x30;
  return value;
}

interface Facts {
  id: string;
  status: string;
  tags: string[];
  /** Values by field. */
  scores: Map<string, string[]>;
  weaknesses: Set<string>;
  references: Set<string>;
  ssvc: Record<string, string> | null;
  products: Map<string, Set<string>>;
  fix: Record<string, unknown>;
}

/** The fields of a CVE record (CVE Record Format 5) whose changes are recorded. */
function readFacts(record: any): Facts {
  const { cna, adp = [] } = record.containers;
  const meta = record.cveMetadata;
  const containers = [cna, ...adp].map((container: any, at: number) => ({
    container,
    author: container.providerMetadata.shortName ?? (at === 0 ? meta.assignerShortName : 'ADP'),
  }));
  const scores = new Map<string, string[]>();
  const weaknesses = new Set<string>();
  const references = new Map<string, Set<string>>();
  let ssvc: (Record<string, string> & { at: string }) | null = null;
  for (const { container, author } of containers) {
    for (const metric of container.metrics ?? []) {
      for (const version of ['4.0', '3.1', '3.0', '2.0']) {
        const cvss = metric[`cvssV${version.replace('.', '_')}`];
        if (cvss === undefined) continue;
        const severity = cvss.baseSeverity?.toUpperCase() ?? null;
        const field = `${author} CVSS ${version}`;
        const value = JSON.stringify({
          score: cvss.baseScore ?? null,
          severity: severity === 'NONE' ? null : severity,
          vector: cvss.vectorString,
        });
        if (!scores.get(field)?.includes(value)) scores.set(field, [...(scores.get(field) ?? []), value]);
      }
      if (metric.other?.type !== 'ssvc') continue;
      const options = Object.assign({}, ...metric.other.content.options);
      const at = metric.other.content.timestamp;
      if (ssvc !== null && ssvc.at >= at) continue;
      ssvc = {
        at,
        exploitation: options['Exploitation'].toLowerCase(),
        automatable: options['Automatable'].toLowerCase(),
        technical_impact: options['Technical Impact'].toLowerCase(),
      };
    }
    for (const { cweId, description } of (container.problemTypes ?? []).flatMap((type: any) => type.descriptions)) {
      const [cwe] = /^CWE-\d+\b/.exec(cweId ?? description ?? '') ?? [];
      if (cwe !== undefined) weaknesses.add(JSON.stringify([author, cwe]));
    }
    for (const { url, tags = [] } of container.references ?? []) {
      const kinds = references.get(url) ?? new Set();
      for (const tag of tags) if (tag === 'patch' || tag === 'exploit') kinds.add(tag);
      references.set(url, kinds);
    }
  }
  // Ranges of versions are read by the feed's own rules, which have tests of their own.
  const facts = factsOfCveRecord(CveRecord.parse(record));
  const { patch_available, fix } = assessReferences(facts);
  return {
    id: meta.cveId,
    status: meta.state,
    tags: (cna.tags ?? []).filter((tag: string) => !tag.startsWith('x_')).toSorted(),
    scores,
    weaknesses,
    references: new Set(
      [...references].flatMap(([url, kinds]) =>
        URL.parse(url) === null ? [] : [...kinds].map((kind) => JSON.stringify([kind, url])),
      ),
    ),
    ssvc,
    products: rangesOf(facts.products),
    fix: { patch_available, versions: fix.versions.length === 0 ? null : fix.versions.toSorted() },
  };
}

/** Ranges of the vulnerable versions by product. */
function rangesOf(rows: readonly CveProduct[]): Map<string, Set<string>> {
  const products = new Map<string, Set<string>>();
  for (const product of rows) {
    if (!product.vulnerable) continue;
    const cpe = product.cpe === null ? null : parseCpe(product.cpe);
    const name = cpe === null ? `${product.vendor ?? ''}:${product.product ?? ''}` : `${cpe.vendor}:${cpe.product}`;
    const ends = {
      '>=': 'start_including',
      '>': 'start_excluding',
      '<=': 'end_including',
      '<': 'end_excluding',
    } as const;
    const parts = Object.entries(ends).flatMap(([sign, end]) =>
      product[end] === null ? [] : `${sign}${product[end]}`,
    );
    const version = cpe?.version ?? product.version;
    const rest = [cpe?.update, cpe?.edition, cpe?.sw_edition, cpe?.target_sw, cpe?.target_hw].filter(Boolean).join(' ');
    const range = [...(version ? [version] : []), ...parts].join(' ') || 'all';
    products.set(name, (products.get(name) ?? new Set()).add(rest === '' ? range : `${range} (${rest})`));
  }
  return products;
}

function sortedRanges(products: Map<string, Set<string>>): string[] {
  return [...products].flatMap(([name, ranges]) => [...ranges].map((range) => `${name} ${range}`)).sort();
}

type Compared = [kind: string, change: string, field: string, was: unknown, is: unknown];

function compareFacts(old: Facts, now: Facts): Compared[] {
  const value = (kind: string, field: string, was: unknown, is: unknown): Compared[] => {
    if (JSON.stringify(was ?? null) === JSON.stringify(is ?? null)) return [];
    return [[kind, was == null ? 'added' : is == null ? 'removed' : 'changed', field, was, is]];
  };
  const pairs = (kind: string, was: Set<string>, is: Set<string>): Compared[] => [
    ...[...was].filter((item) => !is.has(item)).map((item): Compared => [kind, 'removed', ...pairOf(item), null]),
    ...[...is]
      .filter((item) => !was.has(item))
      .map((item): Compared => [kind, 'added', pairOf(item)[0], null, pairOf(item)[1]]),
  ];
  const pairOf = (item: string): [string, string] => JSON.parse(item);
  const changes: Compared[] = [
    ...value('status', 'status', old.status, now.status),
    ...value('status', 'tags', old.tags.length ? old.tags : null, now.tags.length ? now.tags : null),
    ...pairs('weakness', old.weaknesses, now.weaknesses),
    ...pairs('reference', old.references, now.references),
    ...value('fix', 'patch_available', old.fix['patch_available'], now.fix['patch_available']),
    ...value('fix', 'versions', old.fix['versions'], now.fix['versions']),
  ];
  for (const field of ['exploitation', 'automatable', 'technical_impact'])
    changes.push(...value('ssvc', field, old.ssvc?.[field], now.ssvc?.[field]));
  for (const field of new Set([...old.scores.keys(), ...now.scores.keys()])) {
    const [was, is] = [old.scores.get(field) ?? [], now.scores.get(field) ?? []];
    const gone = was.filter((score) => !is.includes(score));
    const added = is.filter((score) => !was.includes(score));
    for (let at = 0; at < Math.max(gone.length, added.length); at++)
      changes.push(...value('score', field, JSON.parse(gone[at] ?? 'null'), JSON.parse(added[at] ?? 'null')));
  }
  for (const name of new Set([...old.products.keys(), ...now.products.keys()])) {
    const [was, is] = [old.products.get(name), now.products.get(name)];
    const gone = [...(was ?? [])].filter((range) => !is?.has(range));
    const added = [...(is ?? [])].filter((range) => !was?.has(range));
    if (gone.length === 0 && added.length === 0) continue;
    const change = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
    changes.push(['product', change, name, shown(gone), shown(added)]);
  }
  return changes;
}

function shown(ranges: string[]): string[] | null {
  if (ranges.length === 0) return null;
  return ranges.length > 20 ? [...ranges.slice(0, 20), `and ${ranges.length - 20} more`] : ranges;
}
