import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import { searchWords } from '../../src/analysis/search-words.ts';
import type { CveFacts } from '../../src/analysis/cve/cve-facts.ts';
import { cveIdFromKey } from '../../src/analysis/cve/cve-id.ts';
import { buildIndex } from '../../src/catalog/build-index.ts';
import { loadCveColumns } from '../../src/catalog/cve-columns.ts';
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
  const load = (more: readonly CveFacts[]): void => {
    startLoad(db, 'cve').put(more);
    buildIndex(db);
  };
  load(cves);
  const best = (words: string): string[] => {
    const columns = loadCveColumns(db);
    const matches = new TextReader(db, columns.size).find(words);
    const query = { words, sort: 'relevance', limit: 5000, offset: 0 } as const;
    return searchCves(columns, new PostingReader(db), query, matches).keys.map((key) => cveIdFromKey(key));
  };
  const unknownWords = (words: string) => new TextReader(db, loadCveColumns(db).size).find(words)?.unknownWords;
  return { load, best, unknownWords, found: (words: string) => best(words).sort() };
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

test('as the plain way finds them: 400 texts, 500 random queries', () => {
  const { below, pick } = chance(32);
  const vocabulary = Array.from({ length: 300 }, (_, at) => `word${at}x`);
  const some = (count: number): string =>
    Array.from({ length: count }, () => pick(vocabulary.slice(0, 1 + below(300)))).join(' ');
  const cves = Array.from({ length: 400 }, (_, at) =>
    cve(2000 + at, { title: at % 3 === 0 ? some(4) : null, description: some(1 + below(60)) }),
  );
  const catalog = catalogOf(cves);
  for (let round = 0; round < 500; round++) {
    const words = some(1 + below(3));
    const plain = cves
      .filter(({ title, description }) => {
        const has = new Set(searchWords(`${title ?? ''} ${description}`));
        return searchWords(words).every((word) => has.has(word));
      })
      .map(({ cve_id }) => cve_id);
    assert.deepEqual(catalog.found(words), plain.sort(), words);
  }
});
