import type { DatabaseSync } from 'node:sqlite';
import { CoverageTally } from '../analysis/cve/coverage.ts';
import { cveIdFromKey } from '../analysis/cve/cve-id.ts';
import type { KevEntry } from '../feeds/entries.ts';
import { buildIdentities } from './build-identities.ts';
import { saveCoverage } from './coverage.ts';
import { allocateCveColumns, type CveColumns, FLAGS, NO_EPSS, saveCveColumns } from './cve-columns.ts';
import {
  coverageFieldsOf,
  decodeIndexEntry,
  encodeIndexEntry,
  type IndexEntry,
  indexEntryOf,
  NO_RECORD_ENTRY,
  weaknessPosting,
  withExploitation,
} from './index-entry.ts';
import { EpssScoreReader } from './epss-scores.ts';
import { mergeRecords, truncateToHead } from './merge-records.ts';
import { PostingLists } from './posting-lists.ts';
import { productToken, TOKEN_KINDS } from './product-tokens.ts';
import { decodeRecord, type StoredRecord } from './record-codec.ts';
import { packNumbers } from './record-encoder.ts';
import { CVE_KEY_SQL, cveKeyOfRecord, sourceBit, sourceOfRecord } from './record-id.ts';
import { buildTextIndex } from './text-index.ts';
import { CatalogTexts, SharedTexts } from './shared-texts.ts';

/** Derives all tables that depend on several feeds, once at the end of a sync. */
export function buildIndex(db: DatabaseSync): void {
  CatalogTexts.release(db, 'shared_text');
  buildSearchIndex(db);
  buildIdentities(db);
}

/** One CVE in the index. */
interface IndexedCve {
  key: number;
  cve: IndexEntry;
  /** Of each source's record. */
  records: { id: number; entry: IndexEntry }[];
}

/**
 * Derives the tables for look-ups and searches (`joined`, `facet`, `posting`, `coverage`) from the records. It
 * covers all CVEs of the record sources and the known-exploited catalog; a CVE that only EPSS has cannot be searched for.
 */
function buildSearchIndex(db: DatabaseSync): void {
  const names = CatalogTexts.of(db, 'posting_name');
  const kev = new Map(
    (db.prepare('SELECT cve, entry FROM kev ORDER BY cve').all() as { cve: number; entry: string }[]).map((row) => [
      row.cve,
      row.entry,
    ]),
  );
  mergeNewGroups(db, names);
  const rows = new CveRows(db);
  const postings = new PostingLists();
  const coverage = new CoverageTally();
  for (const { key, cve, records } of withKevOnly(indexedCves(db), [...kev.keys()])) {
    const kevJson = kev.get(key);
    const exploited = kevJson === undefined ? null : (JSON.parse(kevJson) as KevEntry);
    const row = rows.add(key, cve, records, exploited);
    if ((cve.flags & FLAGS.rejected) === 0 && cve.published > 0) {
      const published = new Date(cve.published * 1000).toISOString();
      coverage.add(
        published,
        records.map(({ id, entry }) => ({ source: sourceOfRecord(id), fields: coverageFieldsOf(entry) })),
      );
    }
    for (const { entry } of records) for (const product of entry.products) postings.add(product, row);
    for (const weakness of cve.weaknesses) postings.add(weakness, row);
    if (exploited === null) continue;
    // What the known-exploited catalog says is used only where no record says it, as in look-ups.
    if (cve.weaknesses.length === 0)
      for (const cwe of exploited.cwes) postings.add(names.numberOf(weaknessPosting(cwe)), row);
    if (records.length > 0) continue;
    const product = productToken(TOKEN_KINDS.affected, exploited.vendor_project, exploited.product);
    postings.add(names.numberOf(product), row);
  }
  const { columns, ordinalOf } = rows.orderByPublication();
  saveCveColumns(db, columns);
  names.save();
  const lists = postings.save(db, names.texts(), ordinalOf);
  buildTextIndex(db, columns, lists);
  saveCoverage(db, coverage.months());
}

/** Merges the records of CVEs that several sources know and whose records have changed, and stores the result for look-ups. */
function mergeNewGroups(db: DatabaseSync, names: CatalogTexts): void {
  const shared = SharedTexts.inCatalog(db);
  const records = db.prepare('SELECT id, modified, head, body FROM record WHERE id BETWEEN ? AND ? ORDER BY id');
  const store = db.prepare('INSERT INTO joined (cve, indexed, entry) VALUES (?, ?, ?)');
  for (const { first, last } of unmergedGroups(db)) {
    const key = cveKeyOfRecord(first);
    const cveId = cveIdFromKey(key);
    const rows = records.all(first, last) as unknown as (StoredRecord & { id: number })[];
    const merged = mergeRecords(rows.map((row) => decodeRecord(cveId, sourceOfRecord(row.id), row, shared)));
    const indexed = packNumbers(encodeIndexEntry(indexEntryOf(merged.record, merged.patch_available, names)));
    store.run(key, indexed, JSON.stringify(truncateToHead(merged)));
  }
}

/** First and last record of each CVE that has several, and no row in `joined`. */
function unmergedGroups(db: DatabaseSync): { first: number; last: number }[] {
  return db
    .prepare(
      `SELECT min(id) AS first, max(id) AS last FROM record GROUP BY ${CVE_KEY_SQL}
       HAVING count(*) > 1 AND ${CVE_KEY_SQL} NOT IN (SELECT cve FROM joined)`,
    )
    .all() as { first: number; last: number }[];
}

/** All CVEs with a record, by key. */
function* indexedCves(db: DatabaseSync): Iterable<IndexedCve> {
  const joined = db.prepare('SELECT indexed FROM joined WHERE cve = ?');
  let records: IndexedCve['records'] = [];
  const group = (): IndexedCve => {
    const key = cveKeyOfRecord(records[0]!.id);
    const cve =
      records.length === 1 ? records[0]!.entry : decodeIndexEntry((joined.get(key) as { indexed: Uint8Array }).indexed);
    return { key, cve, records };
  };
  for (const row of db.prepare('SELECT id, indexed FROM record ORDER BY id').iterate() as Iterable<unknown>) {
    const { id, indexed } = row as { id: number; indexed: Uint8Array };
    if (records.length > 0 && cveKeyOfRecord(records[0]!.id) !== cveKeyOfRecord(id)) {
      yield group();
      records = [];
    }
    records.push({ id, entry: decodeIndexEntry(indexed) });
  }
  if (records.length > 0) yield group();
}

/** Adds the CVEs that only the known-exploited catalog has, by key as the others. */
function* withKevOnly(cves: Iterable<IndexedCve>, kevKeys: readonly number[]): Iterable<IndexedCve> {
  let at = 0;
  for (const cve of cves) {
    for (; at < kevKeys.length && kevKeys[at]! <= cve.key; at++) {
      if (kevKeys[at] !== cve.key) yield { key: kevKeys[at]!, cve: NO_RECORD_ENTRY, records: [] };
    }
    yield cve;
  }
  for (; at < kevKeys.length; at++) yield { key: kevKeys[at]!, cve: NO_RECORD_ENTRY, records: [] };
}

/** The columns in the order of the keys, before the rows are sorted by publication. */
class CveRows {
  readonly #byKey: CveColumns;
  /** By key. */
  readonly #scores: EpssScoreReader;
  #size = 0;

  constructor(db: DatabaseSync) {
    const rowsOf = (table: string): number =>
      (db.prepare(`SELECT count(*) AS count FROM ${table}`).get() as { count: number }).count;
    this.#byKey = allocateCveColumns(rowsOf('record') + rowsOf('kev'));
    this.#scores = new EpssScoreReader(db);
  }

  /** Keys must ascend. Gives the number of the row. */
  add(
    key: number,
    { published, severity, cvss, flags }: IndexEntry,
    records: IndexedCve['records'],
    exploited: KevEntry | null,
  ): number {
    const row = this.#size++;
    this.#byKey.key[row] = key;
    this.#byKey.published[row] = published;
    this.#byKey.severity[row] = severity;
    this.#byKey.cvss[row] = cvss;
    this.#byKey.epss[row] = this.#epssOf(key);
    this.#byKey.flags[row] = exploited === null ? flags : withExploitation(flags, exploited);
    this.#byKey.sources[row] = records.reduce((bits, { id }) => bits | sourceBit(id), 0);
    return row;
  }

  /** The columns of the rows sorted by publication, newest first, and the new ordinal of each row. */
  orderByPublication(): { columns: CveColumns; ordinalOf: Uint32Array } {
    const size = this.#size;
    const from = this.#byKey;
    const columns = allocateCveColumns(size);
    const ordinalOf = new Uint32Array(size);
    newestFirst(from.published.subarray(0, size)).forEach((row, ordinal) => {
      ordinalOf[row] = ordinal;
      columns.key[ordinal] = from.key[row]!;
      columns.published[ordinal] = from.published[row]!;
      columns.severity[ordinal] = from.severity[row]!;
      columns.cvss[ordinal] = from.cvss[row]!;
      columns.epss[ordinal] = from.epss[row]!;
      columns.flags[ordinal] = from.flags[row]!;
      columns.sources[ordinal] = from.sources[row]!;
    });
    return { columns, ordinalOf };
  }

  #epssOf(key: number): number {
    return this.#scores.find(key)?.score ?? NO_EPSS;
  }
}

/** Rows by the time of publication (integers below 2^32), newest first; of one second the later row first. */
function newestFirst(published: Uint32Array): Uint32Array {
  // Time and row in one number, because numbers are sorted many times faster than with a comparison of our own.
  const size = published.length;
  const keys = Float64Array.from(published, (time, row) => -time * size + (size - 1 - row)).sort();
  return Uint32Array.from(keys, (key) => size - 1 - (((key % size) + size) % size));
}
