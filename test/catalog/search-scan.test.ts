import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { SEVERITIES } from '../../src/analysis/severity.ts';
import {
  allocateCveColumns,
  type CveColumns,
  NO_CVSS,
  NO_EPSS,
  SEVERITY_CODES,
} from '../../src/catalog/cve-columns.ts';
import { postingBytes } from '../../src/catalog/posting-bytes.ts';
import { POSTING_KINDS, PostingReader } from '../../src/catalog/postings.ts';
import { createTables } from '../../src/catalog/schema.ts';
import { type CveQuery, searchCves } from '../../src/catalog/search.ts';
import { chance } from '../support/random.ts';

/** Searches in passes over bits against the plain way: test each row, sort what matches, cut the page. */

const QUERIES = 4000;
const FIRST_DAY = 900_000_000;
const DAY = 86_400;
const VENDORS = ['acme', 'apache', 'google'];
const PRODUCTS = ['android', 'log4j', 'tomcat', 'router'];
const WEAKNESSES = ['CWE-79', 'CWE-89'];
const KINDS = [POSTING_KINDS.affected, POSTING_KINDS.platform, POSTING_KINDS.targetSoftware, POSTING_KINDS.plainName];

interface PlainRow {
  published: number;
  severity: number;
  cvss: number | null;
  epss: number | null;
  flags: number;
  names: { kind: number; vendor: string; product: string }[];
  weakness: string | null;
}

const { next: random, below, pick } = chance(27);
const maybe = <Value>(value: () => Value, chance = 0.3): Value | undefined => (random() < chance ? value() : undefined);

function randomRow(): PlainRow {
  return {
    published: random() < 0.02 ? 0 : FIRST_DAY + below(3000) * DAY,
    severity: below(5),
    cvss: random() < 0.2 ? null : below(101),
    // Many have the same score: the order of equals is tested, too.
    epss: random() < 0.1 ? null : random() < 0.5 ? below(4) * 1000 : below(100_001),
    flags: random() < 0.7 ? 0 : below(8),
    names: Array.from({ length: random() < 0.5 ? 0 : below(4) }, () => ({
      kind: pick(KINDS),
      vendor: pick(VENDORS),
      product: pick(PRODUCTS),
    })),
    weakness: maybe(() => pick(WEAKNESSES)) ?? null,
  };
}

function randomQuery(): CveQuery {
  const day = (): number => FIRST_DAY + below(3000) * DAY + below(3) - 1;
  const name = () => ({ vendor: pick(VENDORS), product: pick(PRODUCTS) });
  return {
    product: maybe(() => pick(PRODUCTS)),
    vendor: maybe(() => pick(VENDORS)),
    productNames: maybe(() => Array.from({ length: below(3) }, name), 0.1),
    tagged: random() < 0.3,
    cweId: maybe(() => pick(WEAKNESSES)),
    severity: maybe(() => pick(SEVERITIES)),
    publishedFrom: maybe(day),
    publishedTo: maybe(day),
    kev: random() < 0.2,
    epssMin: maybe(() => below(1001) / 1000),
    cvssMin: maybe(() => below(101) / 10),
    cvssMax: maybe(() => below(101) / 10),
    leading: random() < 0.1,
    includeRejected: random() < 0.3,
    sort: pick(['published_desc', 'epss_desc', 'cvss_desc'] as const),
    limit: pick([0, 1, 50, 200]),
    offset: pick([0, 0, 3, 40, 1000]),
  };
}

function matchesPlainly(row: PlainRow, query: CveQuery): boolean {
  const kinds: number[] = query.tagged ? KINDS : [POSTING_KINDS.affected, POSTING_KINDS.plainName];
  const names = query.productNames ?? ((query.product ?? query.vendor) ? [query] : null);
  const isNamed = ({ product, vendor }: { product?: string | undefined; vendor?: string | undefined }): boolean =>
    row.names.some(
      (one) =>
        kinds.includes(one.kind) &&
        (product === undefined || one.product === product) &&
        (vendor === undefined || one.vendor === vendor),
    );
  const { publishedFrom, publishedTo, epssMin, cvssMin, cvssMax } = query;
  return (
    (names === null || names.some(isNamed)) &&
    (query.cweId === undefined || row.weakness === query.cweId) &&
    (query.severity === undefined || row.severity === SEVERITY_CODES[query.severity]) &&
    ((publishedFrom === undefined && publishedTo === undefined) || row.published !== 0) &&
    row.published >= (publishedFrom ?? 0) &&
    row.published <= (publishedTo ?? Number.POSITIVE_INFINITY) &&
    (!query.kev || row.flags % 2 === 1) &&
    (query.includeRejected === true || Math.floor(row.flags / 2) % 2 === 0) &&
    (!query.leading || row.flags >= 4) &&
    (epssMin === undefined || (row.epss !== null && row.epss >= Math.round(epssMin * 100_000))) &&
    ((cvssMin === undefined && cvssMax === undefined) || row.cvss !== null) &&
    (cvssMin === undefined || row.cvss! >= Math.round(cvssMin * 10)) &&
    (cvssMax === undefined || row.cvss! <= Math.round(cvssMax * 10))
  );
}

function searchPlainly(rows: readonly PlainRow[], query: CveQuery): { total: number; keys: number[] } {
  const found = [...rows.keys()].filter((at) => matchesPlainly(rows[at]!, query));
  const { sort, offset, limit } = query;
  const value = (at: number): number =>
    sort === 'published_desc' ? 0 : (rows[at]![sort === 'epss_desc' ? 'epss' : 'cvss'] ?? -1);
  found.sort((a, b) => value(b) - value(a) || a - b);
  return { total: found.length, keys: found.slice(offset, offset + limit) };
}

/** The rows in order of publication as columns and lists; the key of a row is its place. */
function indexOf(rows: readonly PlainRow[]): { columns: CveColumns; postings: PostingReader } {
  const columns = allocateCveColumns(rows.length);
  const lists = new Map<string, number[]>();
  rows.forEach(({ published, severity, cvss, epss, flags, names, weakness }, at) => {
    columns.key[at] = at;
    columns.published[at] = published;
    columns.severity[at] = severity;
    columns.cvss[at] = cvss ?? NO_CVSS;
    columns.epss[at] = epss ?? NO_EPSS;
    columns.flags[at] = flags;
    const weaknesses = weakness === null ? [] : [{ kind: POSTING_KINDS.weakness, vendor: '', product: weakness }];
    for (const { kind, vendor, product } of [...names, ...weaknesses]) {
      const list = `${kind} ${vendor} ${product}`;
      lists.set(list, [...new Set([...(lists.get(list) ?? []), at])]);
    }
  });
  const db = new DatabaseSync(':memory:');
  createTables(db);
  const insert = db.prepare('INSERT INTO posting (kind, vendor, product, cves) VALUES (?, ?, ?, ?)');
  for (const [name, ordinals] of lists) {
    const [kind, vendor, product] = name.split(' ') as [string, string, string];
    insert.run(Number(kind), vendor, product, postingBytes(Uint32Array.from(ordinals), rows.length));
  }
  return { columns, postings: new PostingReader(db, rows.length) };
}

// One less, as many as and one more than a whole number of words of bits; and enough that pages are cut from both orders.
for (const size of [31, 64, 2049]) {
  test(`${QUERIES} random searches of ${size} rows find what the plain way finds`, () => {
    const rows = Array.from({ length: size }, randomRow).sort((a, b) => b.published - a.published);
    const { columns, postings } = indexOf(rows);
    let found = 0;
    for (let query = 0; query < QUERIES; query++) {
      const asked = randomQuery();
      const expected = searchPlainly(rows, asked);
      const { total, keys } = searchCves(columns, postings, asked);
      assert.deepEqual({ total, keys }, expected, JSON.stringify(asked));
      if (expected.keys.length > 0) found++;
    }
    assert.ok(found > QUERIES / 20, `only ${found} searches found anything`);
  });
}
