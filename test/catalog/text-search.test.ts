import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import { searchWords } from '../../src/analysis/search-words.ts';
import type { CveFacts } from '../../src/analysis/cve/cve-facts.ts';
import { cveIdFromKey } from '../../src/analysis/cve/cve-id.ts';
import { buildIndex } from '../../src/catalog/build-index.ts';
import { loadCveColumns, loadFacet } from '../../src/catalog/cve-columns.ts';
import { PostingReader } from '../../src/catalog/postings.ts';
import { createTables } from '../../src/catalog/schema.ts';
import { searchCves } from '../../src/catalog/search.ts';
import { startLoad } from '../../src/catalog/start-load.ts';
import { TextReader } from '../../src/catalog/text-search.ts';
import { facts, product } from '../support/facts.ts';
import { chance } from '../support/random.ts';

/** Searches of a catalog of these CVEs; a later `load` is a further sync. */
function catalogOf(cves: readonly CveFacts[]) {
  const db = new DatabaseSync(':memory:');
  createTables(db);
  let columns = loadCveColumns(db);
  let reader = new TextReader(db, 0);
  const load = (more: readonly CveFacts[]): void => {
    startLoad(db, 'cve').put(more);
    buildIndex(db);
    columns = loadCveColumns(db);
    reader = new TextReader(db, columns.size);
  };
  load(cves);
  const postings = new PostingReader(db, columns.size);
  const best = (words: string): string[] => {
    const query = { words, sort: 'relevance', limit: 5000, offset: 0 } as const;
    return searchCves(columns, postings, query, reader.find(words)).keys.map((key) => cveIdFromKey(key));
  };
  return {
    load,
    best,
    unknownWords: (words: string) => reader.find(words)?.unknownWords,
    found: (words: string) => best(words).sort(),
    /** Whether the index was brought up to date, not made anew. */
    wasUpdated: () => loadFacet(db, 'textAges', Uint32Array).length > 0,
  };
}

const cve = (number: number, more: Partial<CveFacts>) => facts({ cve_id: `CVE-2024-${number}`, ...more });
const [A, B, C, D] = ['CVE-2024-1001', 'CVE-2024-1002', 'CVE-2024-1003', 'CVE-2024-1004'] as const;
const CVES = [
  cve(1001, { title: 'Heap overflow in zlib', description: 'A heap overflow lets remote attackers crash inflate.' }),
  cve(1002, {
    description: `The overflow of a counter is one of many things that are described in this text. ${'It goes on and on. '.repeat(20)}`,
  }),
  cve(1003, {
    description: 'SQL injection in the login form.',
    products: [product('cpe:2.3:a:acme:web_shop:*:*:*:*:*:*:*:*')],
  }),
  cve(1004, { description: 'Java applets may leave the sandbox.' }),
];

suite('words are found', () => {
  const catalog = catalogOf(CVES);
  for (const [words, found] of [
    ['overflow', [A, B]],
    ['OVERFLOWS', [A, B]],
    ['overflow heap', [A]],
    ['zlib', [A]],
    ['acme shop', [C]],
    ['web_shop login', [C]],
    ['overflow login', []],
    ['java', [D]],
    // No CVE has the word itself: what it begins is meant.
    ['inject', [C]],
    ['the jav', [D]],
    ['jav overflow', []],
    ['appl*', [D]],
    ['ov*', []],
    ['the of', []],
    ['" OR NEAR(a b) -', []],
    ['zzzz', []],
  ] as const) {
    test(words, () => assert.deepEqual(catalog.found(words), found));
  }

  test('a title and a short text before one that only mentions it', () => {
    assert.deepEqual(catalog.best('overflow'), [A, B]);
  });

  test('which word no CVE has', () => {
    assert.deepEqual(catalog.unknownWords('overflow qwertz login'), ['qwertz']);
    assert.equal(catalog.unknownWords('...'), undefined);
  });
});

test('after a further sync, with the texts of then', () => {
  const catalog = catalogOf(CVES);
  catalog.load([
    cve(1002, { modified: '2025-01-01T00:00:00.000Z', description: 'A race condition.' }),
    cve(1005, { published: '2025-01-01T00:00:00.000Z', description: 'An overflow in a newer one.' }),
  ]);
  assert.deepEqual(catalog.found('overflow'), [A, 'CVE-2024-1005']);
  assert.deepEqual(catalog.found('race'), [B]);
  assert.deepEqual(catalog.found('zlib'), [A]);
});

suite('as the plain way finds them', () => {
  const { below, pick } = chance(32);
  const vocabulary = Array.from({ length: 300 }, (_, at) => `word${at}x`);
  const some = (count: number): string =>
    Array.from({ length: count }, () => pick(vocabulary.slice(0, 1 + below(300)))).join(' ');
  const random = (number: number, modified: string): CveFacts =>
    cve(number, { modified, title: number % 3 === 0 ? some(4) : null, description: some(1 + below(60)) });
  const cves = new Map(
    Array.from({ length: 400 }, (_, at) => [2000 + at, random(2000 + at, '2024-01-01T00:00:00.000Z')]),
  );
  const catalog = catalogOf([...cves.values()]);
  const compare = (): void => {
    for (let round = 0; round < 60; round++) {
      const words = some(1 + below(3));
      const plain = [...cves.values()]
        .filter(({ title, description }) => {
          const has = new Set(searchWords(`${title ?? ''} ${description}`));
          return searchWords(words).every((word) => has.has(word));
        })
        .map(({ cve_id }) => cve_id);
      assert.deepEqual(catalog.found(words), plain.sort(), words);
    }
  };

  test('of 400 texts', () => {
    compare();
    assert.equal(catalog.wasUpdated(), false);
  });

  test('after some changed and some came, twice', () => {
    for (const numbers of [
      [2003, 2100, 2399, 2400],
      [2003, 2150, 1999, 2401],
    ]) {
      const changed = numbers.map((number) => random(number, '2025-01-01T00:00:00.000Z'));
      changed.forEach((one, at) => cves.set(numbers[at]!, one));
      catalog.load(changed);
      assert.equal(catalog.wasUpdated(), true);
      compare();
    }
  });

  test('after many changed', () => {
    const numbers = Array.from({ length: 60 }, (_, at) => 2200 + at);
    const changed = numbers.map((number) => random(number, '2025-01-02T00:00:00.000Z'));
    changed.forEach((one, at) => cves.set(numbers[at]!, one));
    catalog.load(changed);
    assert.equal(catalog.wasUpdated(), false);
    compare();
  });
});
