import type { DatabaseSync } from 'node:sqlite';
import { lastWordAsTyped, searchWords } from '../analysis/search-words.ts';
import { OrdinalSet } from './ordinal-set.ts';
import { readDocuments, readTextBlock, WEIGHT_LEVELS } from './text-blocks.ts';

const MAX_WORDS = 12;
/** Shorter beginnings of words mean too many of them. */
const MIN_PREFIX_LENGTH = 3;

/** The CVEs whose titles, descriptions or products have all words of a query. */
export interface TextMatches {
  found: OrdinalSet;
  /** By ordinal, of those found: the higher, the better the match (BM25). */
  scores: Float32Array;
  /** Words of the query that no CVE has. */
  unknownWords: string[];
}

/** Searches titles, descriptions and names of products for words. */
export class TextReader {
  readonly #size: number;
  readonly #db: DatabaseSync;
  readonly #block;
  /** First words of the blocks, whose ids count from 1; read when they are first needed. */
  #firstWords: readonly string[] | null = null;

  /** `size`: number of CVEs. */
  constructor(db: DatabaseSync, size: number) {
    this.#db = db;
    this.#size = size;
    this.#block = db.prepare('SELECT data FROM text_block WHERE id = ?');
  }

  /**
   * All words must match. What the last word begins is searched where no CVE has that word itself, or where the query ends in `*`.
   * Null: the query has no word that can be searched for.
   */
  find(query: string): TextMatches | null {
    const words = [...new Set(searchWords(query))].slice(0, MAX_WORDS);
    if (words.length === 0) return null;
    const begun = lastWordAsTyped(query);
    const last = words.at(-1)!;
    const wantsPrefix = query.trimEnd().endsWith('*');
    const lists = words.map((word) => {
      const list = word === last && wantsPrefix ? new Uint32Array() : this.#documentsOf(word);
      const canBegin = word === last && begun !== null && begun.length >= MIN_PREFIX_LENGTH;
      return list.length === 0 && canBegin ? this.#documentsOfPrefix(begun) : list;
    });
    const unknownWords = words.filter((_, at) => lists[at]!.length === 0);
    const scores = new Float32Array(this.#size);
    if (unknownWords.length > 0) return { found: OrdinalSet.of(this.#size, []), scores, unknownWords };
    return { found: this.#matchAll(lists, scores), scores, unknownWords };
  }

  #matchAll(lists: readonly Uint32Array[], scores: Float32Array): OrdinalSet {
    const ordered = lists.toSorted((a, b) => a.length - b.length);
    // Of each CVE, how many of the words before it has: the rarest word comes first.
    const matched = new Uint8Array(this.#size);
    let found = new Uint32Array();
    ordered.forEach((documents, at) => {
      const rarity = Math.log(1 + (this.#size - documents.length + 0.5) / (documents.length + 0.5));
      found = new Uint32Array(documents.length);
      let count = 0;
      for (let index = 0; index < documents.length; index++) {
        const document = documents[index]!;
        const ordinal = document >>> 3;
        if (matched[ordinal] !== at) continue;
        matched[ordinal] = at + 1;
        scores[ordinal]! += rarity * ((document & 7) + 0.5);
        found[count++] = ordinal;
      }
      found = found.subarray(0, count);
    });
    return OrdinalSet.of(this.#size, [found]);
  }

  #documentsOf(word: string): Uint32Array {
    const block = this.#blockOf(word);
    if (block > 0)
      for (const entry of readTextBlock(this.#dataOf(block))) {
        if (entry.word === word) return readDocuments(entry.list);
      }
    return new Uint32Array();
  }

  /** Those of all words that begin so; of two weights of one document the higher one. */
  #documentsOfPrefix(prefix: string): Uint32Array {
    const weights = new Uint8Array(this.#size);
    let count = 0;
    const blocks = this.#firstWordsOfBlocks();
    for (let block = Math.max(this.#blockOf(prefix), 1); block <= blocks.length; block++) {
      if (blocks[block - 1]! > prefix && !blocks[block - 1]!.startsWith(prefix)) break;
      for (const { word, list } of readTextBlock(this.#dataOf(block))) {
        if (!word.startsWith(prefix)) continue;
        for (const document of readDocuments(list)) {
          const ordinal = document >>> 3;
          if (weights[ordinal] === 0) count++;
          weights[ordinal] = Math.max(weights[ordinal]!, (document & 7) + 1);
        }
      }
    }
    const documents = new Uint32Array(count);
    let end = 0;
    weights.forEach((weight, ordinal) => {
      if (weight > 0) documents[end++] = ordinal * WEIGHT_LEVELS + weight - 1;
    });
    return documents;
  }

  /** The last block whose first word is not behind this one; 0: none. */
  #blockOf(word: string): number {
    const firsts = this.#firstWordsOfBlocks();
    let low = 0;
    let high = firsts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (firsts[middle]! <= word) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #dataOf(block: number): Uint8Array {
    return (this.#block.get(block) as { data: Uint8Array }).data;
  }

  #firstWordsOfBlocks(): readonly string[] {
    this.#firstWords ??= (
      this.#db.prepare('SELECT first FROM text_block ORDER BY id').all() as { first: string }[]
    ).map(({ first }) => first);
    return this.#firstWords;
  }
}
