import type { DatabaseSync } from 'node:sqlite';
import { lastWordAsTyped, searchWords } from '../analysis/search-words.ts';
import { OrdinalSet } from './ordinal-set.ts';
import { SEGMENTS } from './text-index.ts';
import { TextSegment } from './text-segment.ts';

const MAX_WORDS = 12;
/** Shorter beginnings of words mean too many of them. */
const MIN_PREFIX_LENGTH = 3;

/** The CVEs whose titles, descriptions or products have all words of a query. It may be shared: nothing in it is to be changed. */
export interface TextMatches {
  readonly found: OrdinalSet;
  /** By ordinal, of those found: the higher, the better the match (BM25). */
  readonly scores: Float32Array;
  /** Words of the query that no CVE has. */
  readonly unknownWords: readonly string[];
}

/** Searches titles, descriptions and names of products for words. */
export class TextReader {
  readonly #size: number;
  readonly #segments: readonly TextSegment[];
  /** What was asked last: a page asks for rows and for counts of the same words. */
  #last: { query: string; matches: TextMatches | null } | null = null;

  /** `size`: number of CVEs. */
  constructor(db: DatabaseSync, size: number) {
    this.#size = size;
    this.#segments = [new TextSegment(db, SEGMENTS.main, size), new TextSegment(db, SEGMENTS.recent, size)];
  }

  /**
   * All words must match. What the last word begins is searched where no CVE has that word itself, or where the query ends in `*`.
   * Null: the query has no word that can be searched for.
   */
  find(query: string): TextMatches | null {
    if (this.#last?.query !== query) this.#last = { query, matches: this.#find(query) };
    return this.#last.matches;
  }

  #find(query: string): TextMatches | null {
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
    const scores = new Float32Array(unknownWords.length > 0 ? 0 : this.#size);
    if (unknownWords.length > 0) return { found: OrdinalSet.of(this.#size, []), scores, unknownWords };
    return { found: matchAll(lists, scores), scores, unknownWords };
  }

  #documentsOf(word: string): Uint32Array {
    return joined(this.#segments.map((segment) => segment.documentsOf(word)));
  }

  #documentsOfPrefix(prefix: string): Uint32Array {
    // A CVE is in one segment only.
    return joined(this.#segments.map((segment) => segment.documentsOfPrefix(prefix)));
  }
}

function joined([main, recent]: readonly Uint32Array[]): Uint32Array {
  if (recent!.length === 0) return main!;
  const all = new Uint32Array(main!.length + recent!.length);
  all.set(main!);
  all.set(recent!, main!.length);
  return all;
}

/** Adds to the scores what each word counts, and gives what all lists have. */
function matchAll(lists: readonly Uint32Array[], scores: Float32Array): OrdinalSet {
  const size = scores.length;
  // How many of the words before it each CVE has: the rarest word comes first.
  const matched = new Uint8Array(size);
  let found = new Uint32Array();
  lists
    .toSorted((a, b) => a.length - b.length)
    .forEach((documents, at) => {
      const rarity = Math.log(1 + (size - documents.length + 0.5) / (documents.length + 0.5));
      found = scoreMatches(documents, rarity, at, matched, scores);
    });
  return OrdinalSet.of(size, [found]);
}

/** Those of the documents that have the `before` words before this one. */
function scoreMatches(
  documents: Uint32Array,
  rarity: number,
  before: number,
  matched: Uint8Array,
  scores: Float32Array,
): Uint32Array<ArrayBuffer> {
  const found = new Uint32Array(documents.length);
  let count = 0;
  for (let at = 0; at < documents.length; at++) {
    const document = documents[at]!;
    const ordinal = document >>> 3;
    if (matched[ordinal] !== before) continue;
    matched[ordinal] = before + 1;
    // The middle of the level.
    scores[ordinal]! += rarity * ((document & 7) + 0.5);
    found[count++] = ordinal;
  }
  return found.subarray(0, count);
}
