/** What files of earlier days changed, compared by small readers of their own: every recorded change, and no other one. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';
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

const files = sharedPath('feeds-history');

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

  test('the baseline of the CVE List and all 20 days of deltas', async () => {
    const rows: Row[] = [];
    const known = new Map<string, Facts>();
    const zips = readdirSync(join(files!, 'cvelistV5')).filter((name) => name.endsWith('.zip'));
    const baseline = zips.find((name) => name.includes('_all_CVEs_'))!;
    const deltas = zips.filter((name) => name !== baseline).toSorted();
    const days: [day: string, facts: Map<string, Facts | undefined>][] = [];
    assert.equal(deltas.length, 20);
    const inner = (await contents(readFileSync(join(files!, 'cvelistV5', baseline))))[0]!;
    for (const json of await contents(inner)) {
      const facts = readFacts(JSON.parse(json.toString()));
      known.set(facts.id, facts);
    }
    for (const name of deltas) {
      const day = name.slice(0, 10);
      for (const json of await contents(readFileSync(join(files!, 'cvelistV5', name)))) {
        if (json[0] !== 0x7b) continue;
        const record = JSON.parse(json.toString());
        if (record.dataType !== 'CVE_RECORD') continue;
        const facts = readFacts(record);
        const old = known.get(facts.id);
        known.set(facts.id, facts);
        if (old === undefined)
          rows.push(rowOf(day, facts.id, 'record', 'added', 'cvelist', null, { status: facts.status }));
        else for (const change of compareFacts(old, facts)) rows.push(rowOf(day, facts.id, ...change));
      }
      days.push([day, new Map(known)]);
    }
    const changed = [...new Set(rows.map((row) => JSON.parse(row)[1] as string))];
    const ids = [...changed.filter((_, at) => at % 10 === 0), ...[...known.keys()].filter((_, at) => at % 400 === 0)];
    let different = 0;
    for (const [day, facts] of days) {
      const asOf = catalog.asOf(dayNumber(day));
      for (const id of ids) {
        const [expected, record] = [facts.get(id), asOf.cve(id, true)?.record ?? null];
        assert.equal(record === null, expected === undefined, `${id} as of ${day}`);
        if (record === null || expected === undefined) continue;
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
    const [last, everScored] = [new Map<string, number>(), new Set<string>()];
    const rows: Row[] = [];
    const sampled = new Map<string, [string, number][]>();
    let model: string | undefined;
    const ordinals = new Map(Array.from(catalog.cveColumns.key, (key, ordinal) => [key, ordinal]));
    for (const name of days) {
      const date = name.slice(12, 22);
      const [head, , ...lines] = gunzipSync(readFileSync(join(files!, 'epss', name)))
        .toString()
        .trim()
        .split('\n');
      const dayModel = /model_version:([^,]+)/.exec(head!)![1];
      for (const { block, day, changes } of stored) {
        if (new Date(day * 86_400_000).toISOString().slice(0, 10) !== date) continue;
        if (!blocks.has(block)) blocks.set(block, emptyBlock());
        applyChanges(blocks.get(block)!, changes);
      }
      const isNewModel = dayModel !== model;
      if (isNewModel) last.clear();
      model = dayModel;
      const column = await catalog.epssHistory.columnUntil(dayNumber(date), catalog.cveColumns);
      let scored = 0;
      let held = 0;
      for (const { scores } of blocks.values()) for (const score of scores) if (score >= 0) held++;
      assert.equal(held, lines.length, date);
      for (const [at, line] of lines.entries()) {
        const [id, text] = line.split(',') as [string, string];
        const key = cveKey(id)!;
        const score = Math.round(Number(text) * 100_000);
        // Some six million of them: a message is made for one that is wrong.
        const found = blocks.get(blockOf(key))!.scores[key % CVES_PER_BLOCK];
        if (found !== score) assert.fail(`${id} ${date}: ${found}`);
        const ordinal = ordinals.get(key);
        if (ordinal !== undefined && column[ordinal] !== score) assert.fail(`${id} as of ${date}: ${column[ordinal]}`);
        if (ordinal !== undefined) scored++;
        if (at % 2000 === 0 || sampled.has(id)) sampled.set(id, [...(sampled.get(id) ?? []), [date, score / 100_000]]);
        const from = last.get(id);
        if (from === undefined) {
          if (!isNewModel && !everScored.has(id) && score >= 10_000)
            rows.push(rowOf(date, id, 'epss', 'added', 'score', null, score / 100_000));
          last.set(id, score);
        } else if (Math.abs(score - from) >= 10_000) {
          rows.push(rowOf(date, id, 'epss', 'changed', 'score', from / 100_000, score / 100_000));
          last.set(id, score);
        }
      }
      assert.equal(column.filter((score) => score !== NO_EPSS).length, scored, date);
      for (const line of lines) everScored.add(line.slice(0, line.indexOf(',')));
    }
    assertSame(recorded('epss', ['epss']), rows);
    for (const [id, series] of sampled)
      for (const [date, score] of series)
        assert.equal(catalog.asOf(dayNumber(date)).cve(id, false)?.epss?.score, score, `${id} as of ${date}`);
    const reader = new EpssHistoryReader(db);
    for (const [id, series] of sampled)
      assert.deepEqual(
        reader
          .series(cveKey(id)!)
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

async function contents(zip: Buffer): Promise<Buffer[]> {
  const found: Buffer[] = [];
  const archive = await fromBufferPromise(zip);
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue;
    const chunks: Buffer[] = [];
    for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    found.push(Buffer.concat(chunks));
  }
  return found;
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
