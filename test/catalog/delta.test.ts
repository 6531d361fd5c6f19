import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { searchWords } from '../../src/analysis/search-words.ts';
import { loadCveColumns } from '../../src/catalog/cve-columns.ts';
import { readCurrentGeneration } from '../../src/catalog/generation.ts';
import { decodeIndexEntry } from '../../src/catalog/index-entry.ts';
import { loadListsOfCves } from '../../src/catalog/lists-of-cves.ts';
import { decodeRecord, decodeTexts, type StoredRecord } from '../../src/catalog/record-codec.ts';
import { SharedTexts } from '../../src/catalog/shared-texts.ts';
import { TextReader } from '../../src/catalog/text-search.ts';
import { contextOf } from '../support/full-catalog.ts';
import { makeMirror, nvdRecord, nvdRecords } from '../support/nvd-mirror.ts';

/** All rows of a catalog, tables of any order in one order. Shared texts have other numbers in each catalog: their columns are shown as texts. */
function dump(data: string): Record<string, string[]> {
  const db = new DatabaseSync(join(data, readCurrentGeneration(data)!.file), { readOnly: true });
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as { name: string }[];
  const rows = tables.map(({ name }) => {
    const columns = (db.prepare(`SELECT name FROM pragma_table_info('${name}')`).all() as { name: string }[]).map(
      (column) => column.name,
    );
    if (AS_THEY_COME.includes(name)) return [name, []] as const;
    // Numbers of posting rows are given as they come.
    const numbered = name === 'posting' ? ['id'] : ['record', 'joined'].includes(name) ? ['indexed', 'head'] : [];
    const kept = columns.filter((column) => !numbered.includes(column));
    const all = db
      .prepare(`SELECT ${kept.map((column) => `hex("${column}")`).join(` || ' ' || `)} AS row FROM "${name}"`)
      .all() as { row: string }[];
    const hidden = name === 'facet' ? FACETS_AS_THEY_COME : [];
    return [
      name,
      all
        .map(({ row }) => row)
        .filter(
          (row) => !hidden.some((facet) => row.startsWith(`${Buffer.from(facet).toString('hex').toUpperCase()} `)),
        )
        .sort(),
    ] as const;
  });
  rows.push(['records', recordsOf(db)], ['lists of CVEs', listsOf(db)], ['words', wordsOf(db)]);
  db.close();
  return Object.fromEntries(rows);
}

/** Tables and facets whose numbers are given as they come, or that say what is up to date. */
const AS_THEY_COME: readonly string[] = ['shared_text', 'posting_name', 'text_block', 'text_changed'];
const FACETS_AS_THEY_COME: readonly string[] = ['lists', 'vendors', 'textKeys', 'textAges'];

/** The names of the lists of each CVE. */
function listsOf(db: DatabaseSync): string[] {
  const { starts, lists } = loadListsOfCves(db);
  const name = db.prepare('SELECT kind, vendor, product FROM posting WHERE id = ?');
  return Array.from({ length: starts.length - 1 }, (_, ordinal) =>
    Array.from(lists.subarray(starts[ordinal], starts[ordinal + 1]), (list) => Object.values(name.get(list)!).join(' '))
      .sort()
      .join(', '),
  );
}

/** What is found by each word of a description. */
function wordsOf(db: DatabaseSync): string[] {
  const texts = db.prepare('SELECT head FROM record').all() as { head: Uint8Array }[];
  const words = new Set(texts.flatMap(({ head }) => searchWords(decodeTexts(head).description ?? '')));
  const reader = new TextReader(db, loadCveColumns(db).size);
  return [...words].sort().map((word) => {
    const { found, scores } = reader.find(word)!;
    const ordinals = Array.from(found.toArray());
    return `${word}: ${ordinals.map((ordinal) => `${ordinal} ${scores[ordinal]}`).join(', ')}`;
  });
}

/** What the records and their index entries say. */
function recordsOf(db: DatabaseSync): string[] {
  const texts = SharedTexts.inCatalog(db);
  const blocks = db.prepare('SELECT texts FROM posting_name ORDER BY block').all() as { texts: string }[];
  const postings = blocks.flatMap(({ texts: block }) => JSON.parse(block) as string[]);
  const entryOf = (indexed: Uint8Array): unknown => {
    const { products, weaknesses, ...entry } = decodeIndexEntry(indexed);
    const names = (numbers: readonly number[]): string[] => numbers.map((number) => postings[number]!).sort();
    return [entry, names(products), names(weaknesses)];
  };
  const records = db
    .prepare('SELECT id, modified, indexed, head, body FROM record ORDER BY id')
    .all() as unknown as (StoredRecord & {
    id: number;
    indexed: Uint8Array;
  })[];
  const joined = db.prepare('SELECT indexed FROM joined ORDER BY cve').all() as { indexed: Uint8Array }[];
  return [
    ...records.map((row) => JSON.stringify([decodeRecord(String(row.id), 'nvd', row, texts), entryOf(row.indexed)])),
    ...joined.map(({ indexed }) => JSON.stringify(entryOf(indexed))),
  ];
}

const LATER = '2024-04-01T00:00:00.000';

/** Records of two years as they were, and as they are later: changed, rejected, without products, and new ones. */
const before = { 2002: nvdRecords(2002, 40), 2003: nvdRecords(2003, 40) };
const changes = [
  nvdRecord('CVE-2002-0003', { lastModified: LATER, descriptions: [{ lang: 'en', value: 'Other words.' }] }),
  nvdRecord('CVE-2002-0005', {
    lastModified: LATER,
    vulnStatus: 'Rejected',
    metrics: {},
    configurations: [],
    references: [],
  }),
  nvdRecord('CVE-2003-0007', { lastModified: LATER, configurations: [], weaknesses: [] }),
  nvdRecord('CVE-2003-0008', { lastModified: LATER, published: '2025-01-01T00:00:00.000', metrics: {} }),
];
const arrivals = [
  nvdRecord('CVE-2003-0041', { lastModified: LATER }),
  nvdRecord('CVE-2003-123456', { lastModified: LATER }),
];

function changed(records: readonly { cve: { id: string } }[]): { cve: { id: string } }[] {
  return records.map((record) => changes.find(({ cve }) => cve.id === record.cve.id) ?? record);
}

test('after a delta the catalog is what whole files of the same state would have made', async (t) => {
  const [stepwise, atOnce] = [makeMirror(t), makeMirror(t)];
  for (const mirror of [stepwise, atOnce]) mirror.kev(['CVE-2002-0003', 'CVE-2003-0041']);
  stepwise.nvd(2002, before[2002]);
  stepwise.nvd(2003, before[2003]);
  await stepwise.sync();
  stepwise.nvd('modified', [...changes, ...arrivals]);
  const { failed, generation } = await stepwise.sync();
  assert.deepEqual(failed, []);
  assert.equal(generation!.sources['nvd']!.records, 82);

  atOnce.nvd(2002, changed(before[2002]));
  atOnce.nvd(2003, [...changed(before[2003]), ...arrivals]);
  await atOnce.sync();
  const [one, other] = [dump(stepwise.data), dump(atOnce.data)];
  // Only the one that knew the records before has seen them change.
  const history = ['history', 'change', 'change_batch', 'sqlite_sequence'];
  for (const table of new Set([...Object.keys(one), ...Object.keys(other)]))
    if (!history.includes(table)) assert.deepEqual(one[table], other[table], table);
});

test('what goes back in lastModified does not replace what is newer', async (t) => {
  const mirror = makeMirror(t);
  mirror.kev(['CVE-2002-0001']);
  mirror.nvd(2002, nvdRecords(2002, 20, { lastModified: '2024-03-01T00:00:00.000', vulnStatus: 'Modified' }));
  await mirror.sync();
  mirror.nvd(2002, [
    ...nvdRecords(2002, 10, { lastModified: '2024-02-29T23:59:59.999', vulnStatus: 'Analyzed' }),
    ...nvdRecords(2002, 10, { lastModified: '2024-03-01T00:00:00.001', vulnStatus: 'Deferred' }, 11),
  ]);
  mirror.nvd('modified', nvdRecords(2002, 20, { lastModified: '2023-01-01T00:00:00.000', vulnStatus: 'Received' }));
  assert.deepEqual((await mirror.sync()).failed, []);
  const { catalog } = contextOf(mirror.data);
  for (let number = 1; number <= 20; number++) {
    const id = `CVE-2002-${String(number).padStart(4, '0')}`;
    assert.equal(catalog.cve(id, false)?.record?.status, number <= 10 ? 'Modified' : 'Deferred', id);
  }
});

test('a file that did not change is not read again, and the state says when it was looked at', async (t) => {
  const mirror = makeMirror(t);
  mirror.kev(['CVE-2002-0001']);
  mirror.nvd(2002, before[2002]);
  const first = await mirror.sync();
  const second = await mirror.sync();
  assert.deepEqual(
    second.events.filter(({ type }) => type === 'file_done'),
    [],
  );
  assert.equal(second.generation!.file, first.generation!.file);
  assert.ok(second.generation!.sources['nvd']!.last_success_at! >= first.generation!.sources['nvd']!.last_success_at!);
  mirror.nvd(2002, before[2002].toReversed());
  const third = await mirror.sync();
  assert.deepEqual(
    third.events.flatMap((event) => (event.type === 'file_done' ? [event.feed] : [])),
    ['nvd'],
  );
});

test('a rejected CVE stays findable, marked, and leaves searches until it is asked for', async (t) => {
  const mirror = makeMirror(t);
  mirror.kev(['CVE-2002-0001']);
  mirror.nvd(2002, before[2002]);
  await mirror.sync();
  mirror.nvd('modified', changes.slice(0, 2));
  await mirror.sync();
  const { ask } = contextOf(mirror.data, () => new Date('2024-06-01T00:00:00Z'));
  const record = await ask('cve_lookup', { cve_id: 'CVE-2002-0005' });
  assert.deepEqual([record['rejected'], record['status'], record['severity']], [true, 'Rejected', null]);
  assert.match(record['summary'], /rejected/);
  assert.equal((await ask('cve_search', {}))['total'], 39);
  assert.equal((await ask('cve_search', { include_rejected: true }))['total'], 40);
});
