import type { DatabaseSync } from 'node:sqlite';
import { readDocuments, readTextBlock, WEIGHT_LEVELS } from './text-blocks.ts';
import { loadTextOrdinals, SEGMENTS } from './text-index.ts';

/** Finds words in one segment of the text index. Lists have `ordinal * WEIGHT_LEVELS + weight` for each CVE. */
export class TextSegment {
  readonly #db: DatabaseSync;
  readonly #segment: number;
  readonly #size: number;
  readonly #block;
  /** First words of the blocks, whose numbers count from 1, and the ordinals of the documents; read when they are first needed. */
  #firstWords: readonly string[] | null = null;
  #ordinals: Uint32Array | null = null;

  /** `size`: number of CVEs. */
  constructor(db: DatabaseSync, segment: number, size: number) {
    this.#db = db;
    this.#size = size;
    this.#segment = segment;
    this.#block = db.prepare('SELECT data FROM text_block WHERE segment = ? AND block = ?');
  }

  documentsOf(word: string): Uint32Array {
    const block = this.#blockOf(word);
    if (block > 0) {
      for (const entry of readTextBlock(this.#dataOf(block))) {
        if (entry.word === word) return this.#read(entry.list);
      }
    }
    return new Uint32Array();
  }

  /** Those of all words that begin so; of several weights of one CVE the highest. */
  documentsOfPrefix(prefix: string): Uint32Array {
    const weights = new Uint8Array(this.#size);
    let count = 0;
    const firsts = this.#firstWordsOfBlocks();
    for (let block = Math.max(this.#blockOf(prefix), 1); block <= firsts.length; block++) {
      const first = firsts[block - 1]!;
      if (first > prefix && !first.startsWith(prefix)) break;
      for (const { word, list } of readTextBlock(this.#dataOf(block))) {
        if (!word.startsWith(prefix)) continue;
        for (const document of this.#read(list)) {
          const ordinal = document >>> 3;
          if (weights[ordinal] === 0) count++;
          weights[ordinal] = Math.max(weights[ordinal]!, (document & 7) + 1);
        }
      }
    }
    const documents = new Uint32Array(count);
    for (let ordinal = 0, end = 0; end < count; ordinal++) {
      if (weights[ordinal]! > 0) documents[end++] = ordinal * WEIGHT_LEVELS + weights[ordinal]! - 1;
    }
    return documents;
  }

  #read(list: Uint8Array): Uint32Array {
    return readDocuments(list, this.#ordinalsOfDocuments());
  }

  /** Empty: documents are ordinals. */
  #ordinalsOfDocuments(): Uint32Array {
    this.#ordinals ??= this.#segment === SEGMENTS.main ? loadTextOrdinals(this.#db, this.#size) : new Uint32Array();
    return this.#ordinals;
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
    return (this.#block.get(this.#segment, block) as { data: Uint8Array }).data;
  }

  #firstWordsOfBlocks(): readonly string[] {
    if (this.#firstWords === null) {
      const rows = this.#db.prepare('SELECT first FROM text_block WHERE segment = ? ORDER BY block').all(this.#segment);
      this.#firstWords = rows.map(({ first }) => String(first));
    }
    return this.#firstWords;
  }
}
