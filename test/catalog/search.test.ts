import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import {
  allocateCveColumns,
  type CveColumns,
  FLAGS,
  loadCveColumns,
  NO_CVSS,
  NO_EPSS,
  saveCveColumns,
} from '../../src/catalog/cve-columns.ts';
import { OrdinalSet } from '../../src/catalog/ordinal-set.ts';
import { postingBytes } from '../../src/catalog/posting-bytes.ts';
import { POSTING_KINDS, PostingReader } from '../../src/catalog/postings.ts';
import { createTables } from '../../src/catalog/schema.ts';
import { type CveQuery, countCvesOfWeakness, searchCves } from '../../src/catalog/search.ts';

interface Row {
  published?: number;
  severity?: number;
  cvss?: number | null;
  epss?: number | null;
  flags?: number;
}

/** Facets of rows that stand in the order of publication already; keys count from 100. */
function facetsOf(rows: readonly Row[]): CveColumns {
  const facets = allocateCveColumns(rows.length);
  rows.forEach(({ published = 0, severity = 0, cvss = null, epss = null, flags = 0 }, at) => {
    facets.key[at] = 100 + at;
    facets.published[at] = published;
    facets.severity[at] = severity;
    facets.cvss[at] = cvss ?? NO_CVSS;
    facets.epss[at] = epss ?? NO_EPSS;
    facets.flags[at] = flags;
  });
  return facets;
}

/** More CVEs than a test has. */
const MANY = 1000;

function postingsOf(...lists: [kind: number, vendor: string, product: string, ordinals: number[]][]): PostingReader {
  const db = new DatabaseSync(':memory:');
  createTables(db);
  const insert = db.prepare('INSERT INTO posting (kind, vendor, product, cves) VALUES (?, ?, ?, ?)');
  for (const [kind, vendor, product, ordinals] of lists) {
    insert.run(kind, vendor, product, postingBytes(Uint32Array.from(ordinals), MANY));
  }
  return new PostingReader(db, MANY);
}

const NONE = postingsOf();

function found(facets: CveColumns, query: Partial<CveQuery>, postings = NONE): [total: number, ordinals: number[]] {
  const page = searchCves(facets, postings, { sort: 'published_desc', limit: 50, offset: 0, ...query });
  return [page.total, page.keys.map((key) => key - 100)];
}

suite('filters', () => {
  test('scores: both ends count, an unknown score is in no range', () => {
    const facets = facetsOf([{ cvss: 91 }, { cvss: 90 }, { cvss: 0 }, { cvss: null }, { cvss: 100 }]);
    assert.deepEqual(found(facets, { cvssMin: 9.1 }), [2, [0, 4]]);
    assert.deepEqual(found(facets, { cvssMin: 9.05 }), [2, [0, 4]]);
    assert.deepEqual(found(facets, { cvssMax: 9 }), [2, [1, 2]]);
    assert.deepEqual(found(facets, { cvssMax: 9.09 }), [2, [1, 2]]);
    assert.deepEqual(found(facets, { cvssMin: 0 }), [4, [0, 1, 2, 4]]);
    assert.deepEqual(found(facets, { cvssMin: 9, cvssMax: 9 }), [1, [1]]);
    assert.deepEqual(found(facets, {}), [5, [0, 1, 2, 3, 4]]);
  });

  test('every tenth and every unit is met exactly by the number that stands for it', () => {
    const tenths = facetsOf(Array.from({ length: 101 }, (_, cvss) => ({ cvss })));
    for (let at = 0; at <= 100; at++)
      assert.deepEqual(found(tenths, { cvssMin: at / 10, cvssMax: at / 10 }), [1, [at]]);
    const units = Array.from({ length: 1000 }, (_, at) => at * 97 + 3);
    const facets = facetsOf(units.map((epss) => ({ epss })));
    units.forEach((unit, at) => assert.equal(found(facets, { epssMin: unit / 100_000 })[0], units.length - at));
  });

  test('a probability of zero is known, none is not', () => {
    const facets = facetsOf([{ epss: 0 }, { epss: null }, { epss: 100_000 }]);
    assert.deepEqual(found(facets, { epssMin: 0 }), [2, [0, 2]]);
    assert.deepEqual(found(facets, { epssMin: 1 }), [1, [2]]);
  });

  test('dates: both ends count, an unknown date is in no range', () => {
    const facets = facetsOf([{ published: 300 }, { published: 200 }, { published: 100 }, { published: 0 }]);
    assert.deepEqual(found(facets, { publishedFrom: 200 }), [2, [0, 1]]);
    assert.deepEqual(found(facets, { publishedTo: 200 }), [2, [1, 2]]);
    assert.deepEqual(found(facets, { publishedFrom: 201, publishedTo: 299 }), [0, []]);
  });

  test('severity, known exploited, ahead of the NVD, rejected', () => {
    const { kev, rejected, leading } = FLAGS;
    const facets = facetsOf([
      { severity: 4, flags: kev },
      { severity: 3 },
      { flags: rejected | kev },
      { flags: leading, severity: 4 },
    ]);
    assert.deepEqual(found(facets, { severity: 'CRITICAL' }), [2, [0, 3]]);
    assert.deepEqual(found(facets, { kev: true }), [1, [0]]);
    assert.deepEqual(found(facets, { kev: true, includeRejected: true }), [2, [0, 2]]);
    assert.deepEqual(found(facets, { leading: true }), [1, [3]]);
    assert.deepEqual(found(facets, { includeRejected: true })[0], 4);
  });
});

suite('order', () => {
  const facets = facetsOf([
    { cvss: 50, epss: 10 },
    { cvss: 98, epss: null },
    { cvss: null, epss: 10 },
    { cvss: 98, epss: 99 },
  ]);
  test('highest first, unknown last, equals by publication', () => {
    assert.deepEqual(found(facets, {})[1], [0, 1, 2, 3]);
    assert.deepEqual(found(facets, { sort: 'cvss_desc' })[1], [1, 3, 0, 2]);
    assert.deepEqual(found(facets, { sort: 'epss_desc' })[1], [3, 0, 2, 1]);
  });
  test('the same over a product as over all', () => {
    const postings = postingsOf([POSTING_KINDS.affected, 'v', 'p', [0, 1, 2, 3]]);
    assert.deepEqual(found(facets, { product: 'p', sort: 'cvss_desc' }, postings)[1], [1, 3, 0, 2]);
    assert.deepEqual(found(facets, { product: 'p', sort: 'epss_desc' }, postings)[1], [3, 0, 2, 1]);
  });
  test('pages', () => {
    assert.deepEqual(found(facets, { sort: 'cvss_desc', limit: 2 }), [4, [1, 3]]);
    assert.deepEqual(found(facets, { sort: 'cvss_desc', limit: 2, offset: 2 }), [4, [0, 2]]);
    assert.deepEqual(found(facets, { offset: 9 }), [4, []]);
  });
});

suite('products and vendors', () => {
  const facets = facetsOf(Array.from({ length: 8 }, () => ({})));
  const postings = postingsOf(
    [POSTING_KINDS.affected, 'apache', 'log4j', [0, 3]],
    [POSTING_KINDS.affected, 'redhat', 'log4j', [3, 5]],
    [POSTING_KINDS.affected, 'apache', 'tomcat', [5]],
    [POSTING_KINDS.platform, 'apache', 'log4j', [6]],
    [POSTING_KINDS.targetSoftware, 'acme', 'log4j', [7]],
    [POSTING_KINDS.weakness, '', 'CWE-502', [0, 5]],
    [POSTING_KINDS.weakness, '', 'log4j', [1]],
  );
  const of = (query: Partial<CveQuery>) => found(facets, query, postings)[1];

  test('a product of any vendor, each CVE once', () => assert.deepEqual(of({ product: 'log4j' }), [0, 3, 5]));
  test('a vendor with any product', () => assert.deepEqual(of({ vendor: 'apache' }), [0, 3, 5]));
  test('both in the same row', () => {
    assert.deepEqual(of({ vendor: 'apache', product: 'log4j' }), [0, 3]);
    assert.deepEqual(of({ vendor: 'redhat', product: 'tomcat' }), []);
  });
  test('tagged: as platform and as target software too', () => {
    assert.deepEqual(of({ product: 'log4j', tagged: true }), [0, 3, 5, 6, 7]);
    assert.deepEqual(of({ product: 'log4j', vendor: 'acme', tagged: true }), [7]);
    assert.deepEqual(of({ product: 'log4j', vendor: 'acme' }), []);
  });
  test('exact: no part of a name, no wildcard, no SQL', () => {
    for (const product of ['log4', 'log4j2', 'LOG4J', 'log%', '*', "log4j' OR '1'='1", ''])
      assert.deepEqual(of({ product }), [], product);
  });
  test('a weakness, alone and with a product', () => {
    assert.deepEqual(of({ cweId: 'CWE-502' }), [0, 5]);
    assert.deepEqual(of({ cweId: 'CWE-502', product: 'log4j', vendor: 'apache' }), [0]);
    assert.deepEqual(of({ cweId: 'CWE-79' }), []);
    assert.equal(countCvesOfWeakness(postings, 'CWE-502'), 2);
  });
});

test('a set of ordinals: union of lists, intersection, range, count, page', () => {
  const size = 100;
  const list = fc.uniqueArray(fc.nat({ max: size - 1 }));
  const setOf = (...lists: number[][]) =>
    OrdinalSet.of(
      size,
      lists.map((values) => Uint32Array.from(values)),
    );
  const bound = fc.nat({ max: size });
  fc.assert(
    fc.property(list, list, list, bound, bound, bound, (a, b, c, one, other, offset) => {
      const [first, end] = [Math.min(one, other), Math.max(one, other)];
      const set = setOf(a, b);
      set.intersect(setOf(c));
      set.keepBetween(first, end);
      const expected = [...new Set([...a, ...b])]
        .filter((value) => c.includes(value) && value >= first && value < end)
        .sort((x, y) => x - y);
      assert.equal(set.count, expected.length);
      assert.deepEqual(set.slice(0, size), expected);
      assert.deepEqual(set.slice(offset, 7), expected.slice(offset, offset + 7));
      for (let ordinal = 0; ordinal < size; ordinal++) assert.equal(set.has(ordinal), expected.includes(ordinal));
      const all = setOf(a, b, c);
      const between = new Set([...a, ...b, ...c].filter((value) => value >= first && value < end));
      assert.equal(all.countBetween(first, end), between.size);
      all.remove(set);
      const rest = new Set([...a, ...b, ...c].filter((value) => !expected.includes(value)));
      assert.deepEqual(
        all.slice(0, size),
        [...rest].sort((x, y) => x - y),
      );
    }),
  );
  for (const length of [0, 1, 31, 32, 33, 64]) assert.equal(OrdinalSet.all(length).count, length);
});

test('facets come out of the catalog as they went in', () => {
  const db = new DatabaseSync(':memory:');
  createTables(db);
  const facets = facetsOf([
    { published: 4_000_000_000, severity: 4, cvss: 98, epss: 97_565, flags: 7 },
    {},
    { cvss: 1 },
  ]);
  saveCveColumns(db, facets);
  assert.deepEqual(loadCveColumns(db), facets);
  saveCveColumns(db, facetsOf([]));
  assert.equal(loadCveColumns(db).size, 0);
});
