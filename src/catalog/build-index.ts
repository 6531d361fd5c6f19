import type { DatabaseSync } from 'node:sqlite';
import { normalizeCpeToken } from '../analysis/cve/cpe.ts';
import { cveIdFromKey } from '../analysis/cve/cve-id.ts';
import type { RecordSource } from '../analysis/cve/cve-facts.ts';
import { type CoverageField, CoverageTally } from '../analysis/cve/coverage.ts';
import { type MergedCve, mergeCve } from '../analysis/cve/merge-cve.ts';
import { selectSeverity, leadingAssessment } from '../analysis/cve/select-severity.ts';
import type { KevEntry } from '../feeds/entries.ts';
import {
  allocateCveColumns,
  type CveColumns,
  FLAGS,
  NO_CVSS,
  NO_EPSS,
  SEVERITY_CODES,
  saveCveColumns,
} from './cve-columns.ts';
import { coverageFieldsOf, saveCoverage } from './coverage.ts';
import { buildIdentities } from './build-identities.ts';
import { truncateToHead, mergeRecords } from './merge-records.ts';
import { POSTING_KINDS } from './postings.ts';
import { decodeTokens, type ProductToken, TOKEN_KINDS } from './product-tokens.ts';
import { decodeOutline, decodeRecord } from './record-codec.ts';
import { cveKeyOfRecord, sourceOfRecord } from './record-id.ts';

/** One CVE in the index, before the rows are sorted by publication. */
interface CveRow {
  key: number;
  published: number;
  severity: number;
  cvss: number;
  epss: number;
  flags: number;
}

/** Derives all tables that depend on several feeds, once at the end of a sync. */
export function buildIndex(db: DatabaseSync): void {
  buildSearchIndex(db);
  buildIdentities(db);
}

/**
 * Derives the tables for look-ups and searches (`joined`, `facet`, `posting`, `coverage`) from the records. It
 * covers all CVEs of the record sources and the known-exploited catalog; a CVE that only EPSS has cannot be searched for.
 */
function buildSearchIndex(db: DatabaseSync): void {
  const score = db.prepare('SELECT score FROM epss WHERE cve = ?');
  const epssOf = (key: number): number => (score.get(key) as { score: number } | undefined)?.score ?? NO_EPSS;
  const kev = new Map(
    (db.prepare('SELECT cve, entry FROM kev').all() as { cve: number; entry: string }[]).map((row) => [
      row.cve,
      row.entry,
    ]),
  );
  const rows: CveRow[] = [];
  const postings = new Map<string, number[]>();
  const addPosting = (kind: number, vendor: string, product: string): void => {
    const name = `${kind}\t${vendor}\t${product}`;
    const list = postings.get(name);
    if (list === undefined) postings.set(name, [rows.length]);
    else if (list.at(-1) !== rows.length) list.push(rows.length);
  };

  const coverage = new CoverageTally();
  for (const { key, cve, tokens, records } of mergeAndStoreCves(db)) {
    if (!cve.rejected) coverage.add(cve.published, records);
    for (const token of tokens) addTokenPosting(token, addPosting);
    for (const cwe of weaknessIdsOf(cve, kev.get(key))) addPosting(POSTING_KINDS.weakness, '', cwe);
    rows.push(cveRowOf(key, cve, epssOf(key), kev.delete(key)));
  }
  for (const [key, json] of kev) {
    const entry = JSON.parse(json) as KevEntry;
    addPosting(POSTING_KINDS.affected, normalizeCpeToken(entry.vendor_project), normalizeCpeToken(entry.product));
    for (const cwe of entry.cwes) addPosting(POSTING_KINDS.weakness, '', cwe);
    const flags = FLAGS.kev | FLAGS.leading;
    rows.push({ key, published: 0, severity: 0, cvss: NO_CVSS, epss: epssOf(key), flags });
  }
  const { columns, ordinalOf } = orderByPublication(rows);
  saveCveColumns(db, columns);
  savePostings(db, postings, ordinalOf);
  saveCoverage(db, coverage.months());
}

interface BodyRow {
  body: Uint8Array | null;
}

interface RecordRow {
  id: number;
  head: string;
  tokens: string;
}

interface IndexedCve {
  key: number;
  cve: MergedCve;
  tokens: ProductToken[];
  /** What each source's record has. */
  records: { source: RecordSource; fields: CoverageField[] }[];
}

/** All CVEs with a record, by key. Records of several sources are merged, and the result is stored for look-ups. */
function* mergeAndStoreCves(db: DatabaseSync): Iterable<IndexedCve> {
  const body = db.prepare('SELECT body FROM record WHERE id = ?');
  const store = db.prepare('INSERT INTO joined (cve, entry) VALUES (?, ?)');
  db.exec('DELETE FROM joined');
  for (const group of recordsByCve(db)) {
    const key = cveKeyOfRecord(group[0]!.id);
    const cveId = cveIdFromKey(key);
    const tokens = group.flatMap((row) => decodeTokens(row.tokens));
    if (group.length === 1) {
      const only = decodeOutline(cveId, sourceOfRecord(group[0]!.id), group[0]!.head);
      const records = [{ source: only.source, fields: coverageFieldsOf(only, group[0]!.tokens) }];
      yield { key, cve: mergeCve([only]), tokens, records };
      continue;
    }
    const facts = group.map(({ id, head }) =>
      decodeRecord(cveId, sourceOfRecord(id), head, (body.get(id) as unknown as BodyRow).body),
    );
    const merged = mergeRecords(facts);
    store.run(key, JSON.stringify(truncateToHead(merged)));
    const records = facts.map((entry, at) => ({
      source: entry.source,
      fields: coverageFieldsOf(entry, group[at]!.tokens),
    }));
    yield { key, cve: merged.record, tokens, records };
  }
}

function* recordsByCve(db: DatabaseSync): Iterable<RecordRow[]> {
  let group: RecordRow[] = [];
  for (const record of db.prepare('SELECT id, head, tokens FROM record ORDER BY id').iterate() as Iterable<unknown>) {
    const row = record as RecordRow;
    if (group.length > 0 && cveKeyOfRecord(group[0]!.id) !== cveKeyOfRecord(row.id)) {
      yield group;
      group = [];
    }
    group.push(row);
  }
  if (group.length > 0) yield group;
}

/** The weaknesses of the known-exploited catalog are used only if no record names one, as in look-ups. */
function weaknessIdsOf(cve: MergedCve, kevJson: string | undefined): string[] {
  if (cve.weaknesses.length > 0 || kevJson === undefined) return cve.weaknesses.map(({ cwe_id }) => cwe_id);
  return (JSON.parse(kevJson) as KevEntry).cwes;
}

function addTokenPosting(
  { kind, vendor, product }: ProductToken,
  addPosting: (kind: number, vendor: string, product: string) => void,
) {
  if (kind === TOKEN_KINDS.platform) addPosting(POSTING_KINDS.platform, vendor, product);
  else if (kind === TOKEN_KINDS.targetSoftware) addPosting(POSTING_KINDS.targetSoftware, vendor, product);
  else if (kind === TOKEN_KINDS.plainName) addPosting(POSTING_KINDS.plainName, vendor, product);
  else addPosting(POSTING_KINDS.affected, vendor, product);
}

function cveRowOf(key: number, cve: MergedCve, epss: number, inKev: boolean): CveRow {
  const { severity } = selectSeverity(cve.metrics);
  const cvss = leadingAssessment(cve.metrics, ['3.1', '3.0'])?.base_score ?? null;
  return {
    key,
    published: cve.published === null ? 0 : Math.floor(Date.parse(cve.published) / 1000) || 0,
    severity: severity === null ? 0 : SEVERITY_CODES[severity],
    cvss: cvss === null ? NO_CVSS : Math.round(cvss * 10),
    epss,
    flags: (inKev ? FLAGS.kev : 0) | (cve.rejected ? FLAGS.rejected : 0) | (cve.leading ? FLAGS.leading : 0),
  };
}

/** The columns of the rows sorted by publication, newest first, and the new ordinal of each row. */
function orderByPublication(rows: readonly CveRow[]): { columns: CveColumns; ordinalOf: Uint32Array } {
  const order = Uint32Array.from(rows.keys()).sort(
    (a, b) => rows[b]!.published - rows[a]!.published || rows[b]!.key - rows[a]!.key,
  );
  const columns = allocateCveColumns(rows.length);
  const ordinalOf = new Uint32Array(rows.length);
  order.forEach((index, ordinal) => {
    const row = rows[index]!;
    ordinalOf[index] = ordinal;
    columns.key[ordinal] = row.key;
    columns.published[ordinal] = row.published;
    columns.severity[ordinal] = row.severity;
    columns.cvss[ordinal] = row.cvss;
    columns.epss[ordinal] = row.epss;
    columns.flags[ordinal] = row.flags;
    columns.byEpss[ordinal] = ordinal;
    columns.byCvss[ordinal] = ordinal;
  });
  sortHighestFirst(columns.byEpss, columns.epss, NO_EPSS);
  sortHighestFirst(columns.byCvss, columns.cvss, NO_CVSS);
  return { columns, ordinalOf };
}

function sortHighestFirst(order: Uint32Array, values: Uint8Array | Uint32Array, unknown: number): void {
  const value = (ordinal: number): number => (values[ordinal] === unknown ? -1 : values[ordinal]!);
  order.sort((a, b) => value(b) - value(a) || a - b);
}

function savePostings(db: DatabaseSync, postings: Map<string, number[]>, ordinalOf: Uint32Array): void {
  db.exec('DELETE FROM posting');
  const insert = db.prepare('INSERT INTO posting (kind, vendor, product, cves) VALUES (?, ?, ?, ?)');
  for (const [name, indexes] of postings) {
    const [kind, vendor, product] = name.split('\t') as [string, string, string];
    const ordinals = Uint32Array.from(indexes, (index) => ordinalOf[index]!).sort();
    insert.run(Number(kind), vendor, product, new Uint8Array(ordinals.buffer));
  }
}
