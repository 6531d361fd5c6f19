import type { DatabaseSync } from 'node:sqlite';
import { searchWords } from '../analysis/search-words.ts';
import type { KevEntry } from '../feeds/entries.ts';
import { type CveColumns, FLAGS, loadFacet, saveFacet } from './cve-columns.ts';
import { type ListsOfCves, NO_PRODUCT } from './lists-of-cves.ts';
import { NumberLists } from './number-lists.ts';
import { decodeTexts } from './record-codec.ts';
import { recordIdRange } from './record-id.ts';
import { NO_NUMBER, packTextBlocks, WEIGHT_LEVELS } from './text-blocks.ts';

/** BM25: how soon more mentions of a word count no more, and how much longer texts count less. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
/** Words of a usual text. Fixed, so that what a word counts in one CVE does not depend on the others. */
const USUAL_LENGTH = 32;
/** A word in a title, or in the name of a product, counts as many mentions in the description. */
const TITLE_MENTIONS = 4;
const PRODUCT_MENTIONS = 3;
/** Products of a CVE whose names are searched: some advisories list every chip of a maker. */
const MAX_PRODUCTS = 64;

/** The segment of all CVEs, and that of those which changed since it was made. */
export const SEGMENTS = { main: 0, recent: 1 } as const;
/** When more CVEs than this share of all have changed, all are indexed anew. */
const MAX_RECENT_SHARE = 0.05;

/**
 * Brings the table `text_block` up to date: the words of titles, descriptions and affected products of all CVEs. Documents of the main
 * segment are numbered by the ordinals of the time when it was made; `textAges` has how many CVEs are older than each today, which new ones do not change.
 */
export function buildTextIndex(db: DatabaseSync, columns: CveColumns, lists: ListsOfCves): void {
  const texts = new CveTexts(db, columns, lists);
  const update = findRecent(db, columns);
  db.prepare('DELETE FROM text_block WHERE segment = ?').run(SEGMENTS.recent);
  if (update !== null) {
    saveFacet(db, 'textAges', agesOf(update.ordinals, columns.size));
    writeSegment(db, SEGMENTS.recent, update.recent, texts);
    return;
  }
  db.prepare('DELETE FROM text_block WHERE segment = ?').run(SEGMENTS.main);
  db.exec('DELETE FROM text_changed');
  saveFacet(db, 'textKeys', columns.key);
  saveFacet(db, 'textAges', new Uint32Array());
  writeSegment(db, SEGMENTS.main, columns.key.keys(), texts);
}

/** Ordinals of today of the documents of the main segment, of `size` CVEs; empty: documents are ordinals. */
export function loadTextOrdinals(db: DatabaseSync, size: number): Uint32Array {
  return agesOf(loadFacet(db, 'textAges', Uint32Array), size);
}

/** How many of `size` CVEs are older than each ordinal, or the other way. */
function agesOf(ordinals: Uint32Array, size: number): Uint32Array {
  return ordinals.map((ordinal) => (ordinal === NO_NUMBER ? NO_NUMBER : size - 1 - ordinal));
}

/** Whether changes of texts have to be noted in `text_changed`: there is an index that they make out of date. */
export function hasTextIndex(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM text_block LIMIT 1').get() !== undefined;
}

/** What the main segment does not have as it is today; null: it has to be made anew. */
function findRecent(db: DatabaseSync, { key, size }: CveColumns): { ordinals: Uint32Array; recent: number[] } | null {
  const indexed = loadFacet(db, 'textKeys', Float64Array);
  if (indexed.length === 0) return null;
  // Entries of the known-exploited catalog give titles, too.
  const changed = new Set(
    (db.prepare('SELECT cve FROM text_changed UNION SELECT cve FROM kev').all() as { cve: number }[]).map(
      ({ cve }) => cve,
    ),
  );
  const ordinalOf = new Map(Array.from(key, (one, ordinal) => [one, ordinal]));
  const isIndexed = new Uint8Array(size);
  const ordinals = Uint32Array.from(indexed, (one) => {
    const ordinal = changed.has(one) ? undefined : ordinalOf.get(one);
    // It is in the recent segment, or is gone.
    if (ordinal === undefined) return NO_NUMBER;
    isIndexed[ordinal] = 1;
    return ordinal;
  });
  const recent = [...key.keys()].filter((ordinal) => isIndexed[ordinal] === 0);
  return recent.length > size * MAX_RECENT_SHARE ? null : { ordinals, recent };
}

function writeSegment(db: DatabaseSync, segment: number, ordinals: Iterable<number>, texts: CveTexts): void {
  const numbers = new Map<string, number>();
  const postings = new NumberLists();
  for (const ordinal of ordinals) {
    for (const [word, weight] of weighWords(texts.of(ordinal))) {
      let number = numbers.get(word);
      if (number === undefined) numbers.set(word, (number = numbers.size));
      postings.add(number, ordinal * WEIGHT_LEVELS + weight);
    }
  }
  const { values, starts } = postings.group();
  const words = [...numbers].sort(([a], [b]) => (a < b ? -1 : 1));
  const insert = db.prepare('INSERT INTO text_block (segment, block, first, data) VALUES (?, ?, ?, ?)');
  let block = 0;
  const entries = words.values().map(([word, number]) => ({
    word,
    documents: values.subarray(starts[number], starts[number + 1]),
  }));
  for (const { first, data } of packTextBlocks(entries)) insert.run(segment, ++block, first, data);
}

/** What is searched of one CVE. */
interface SearchedText {
  title: string;
  description: string;
  products: Iterable<readonly string[]>;
}

/** Each word with what it counts: the share of a word's score in BM25 that depends on the text, in levels. */
function weighWords({ title, description, products }: SearchedText): Map<string, number> {
  const mentions = new Map<string, number>();
  const add = (word: string, count: number): unknown => mentions.set(word, (mentions.get(word) ?? 0) + count);
  const described = searchWords(description);
  for (const word of described) add(word, 1);
  for (const word of searchWords(title)) add(word, TITLE_MENTIONS);
  for (const word of new Set([...products].flat())) add(word, PRODUCT_MENTIONS);
  const lengthFactor = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * described.length) / USUAL_LENGTH);
  for (const [word, count] of mentions) {
    mentions.set(word, Math.min(WEIGHT_LEVELS - 1, Math.floor((count / (count + lengthFactor)) * WEIGHT_LEVELS)));
  }
  return mentions;
}

/** Reads what is searched of each CVE, as look-ups show it. */
class CveTexts {
  readonly #columns: CveColumns;
  readonly #lists: ListsOfCves;
  readonly #heads;
  readonly #joined;
  readonly #kev;
  readonly #name;
  /** Words of the names of products, by id of their posting lists. */
  readonly #wordsOfList = new Map<number, readonly string[]>();

  constructor(db: DatabaseSync, columns: CveColumns, lists: ListsOfCves) {
    this.#columns = columns;
    this.#lists = lists;
    this.#heads = db.prepare('SELECT head FROM record WHERE id BETWEEN ? AND ? LIMIT 1');
    this.#joined = db.prepare(
      "SELECT entry ->> '$.record.title' AS title, entry ->> '$.record.description' AS description FROM joined WHERE cve = ?",
    );
    this.#kev = db.prepare('SELECT entry FROM kev WHERE cve = ?');
    this.#name = db.prepare('SELECT vendor, product FROM posting WHERE id = ?');
  }

  of(ordinal: number): SearchedText {
    const key = this.#columns.key[ordinal]!;
    const { title, description } = this.#textsOf(key);
    const kev = (this.#columns.flags[ordinal]! & FLAGS.kev) === 0 ? null : this.#kevOf(key);
    const { starts, lists } = this.#lists;
    const products = lists.subarray(starts[ordinal], Math.min(starts[ordinal + 1]!, starts[ordinal]! + MAX_PRODUCTS));
    return {
      title: title ?? kev?.vulnerability_name ?? '',
      description: description ?? kev?.short_description ?? '',
      products: products.values().map((list) => this.#productWords(list)),
    };
  }

  /** Of a weakness there are none. */
  #productWords(list: number): readonly string[] {
    let words = this.#wordsOfList.get(list);
    if (words !== undefined) return words;
    const { vendor, product } = this.#name.get(list) as { vendor: string; product: string };
    words = this.#lists.vendors[list] === NO_PRODUCT ? [] : searchWords(`${vendor} ${product}`);
    this.#wordsOfList.set(list, words);
    return words;
  }

  #textsOf(key: number): { title: string | null; description: string | null } {
    const joined = this.#joined.get(key) as { title: string | null; description: string | null } | undefined;
    if (joined !== undefined) return joined;
    const row = this.#heads.get(...recordIdRange(key)) as { head: Uint8Array } | undefined;
    return row === undefined ? { title: null, description: null } : decodeTexts(row.head);
  }

  #kevOf(key: number): KevEntry | null {
    const row = this.#kev.get(key) as { entry: string } | undefined;
    return row === undefined ? null : JSON.parse(row.entry);
  }
}
