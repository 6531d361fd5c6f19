import { MAX_VARINT_BYTES, unzigzag, VarintReader, writeVarint, zigzag } from './varints.ts';

/**
 * The scores that changed on one day, for one block of CVEs, in ascending order of a key: the score plus 1 (0: none) times `CVES_PER_BLOCK`, plus the
 * CVE's number in the block. Of each change: what its key is more than the last one's, the score less the score before (-1: none), and, where
 * there is a score, the percentile (-1: not known) less the last one. All are varints, the differences by `zigzag`, scores in units of
 * `EPSS_SCALE`. In this order percentiles ascend as well, so that most differences are small: five to six bytes a change. The days of one
 * CVE are one range of rows.
 */
export const CVES_PER_BLOCK = 2000;
/** No score, or no percentile. */
export const NONE = -1;

/** Numbers of CVEs of one block and their scores. */
export interface BlockScores {
  /** By number in the block; `NONE` where a CVE has none. */
  scores: Int32Array;
  percentiles: Int32Array;
}

/** The block of a CVE (`cveKey()`). Keys of two years never share one. */
export function blockOf(key: number): number {
  return Math.floor(key / CVES_PER_BLOCK);
}

export function emptyBlock(): BlockScores {
  const empty = () => new Int32Array(CVES_PER_BLOCK).fill(NONE);
  return { scores: empty(), percentiles: empty() };
}

export function copyBlock({ scores, percentiles }: BlockScores): BlockScores {
  return { scores: scores.slice(), percentiles: percentiles.slice() };
}

type VisitChange = (number: number, score: number, before: number, percentile: number) => void;

/** Visits changes in the order of their scores. */
export function readChanges(bytes: Uint8Array, visit: VisitChange): void {
  const reader = new VarintReader(bytes);
  let key = 0;
  let last = NONE;
  while (!reader.isAtEnd) {
    key += reader.next();
    const number = key % CVES_PER_BLOCK;
    const score = (key - number) / CVES_PER_BLOCK - 1;
    const before = score - unzigzag(reader.next());
    if (score !== NONE) last += unzigzag(reader.next());
    visit(number, score, before, score === NONE ? NONE : last);
  }
}

/** Makes the block what it is after these changes. */
export function applyChanges({ scores, percentiles }: BlockScores, bytes: Uint8Array): void {
  readChanges(bytes, (number, score, _before, percentile) => {
    scores[number] = score;
    percentiles[number] = percentile;
  });
}

/** What makes `after` of `before`; null: nothing. */
export function changesBetween(before: BlockScores, after: BlockScores): Uint8Array | null {
  const writer = new ChangeWriter();
  for (let number = 0; number < CVES_PER_BLOCK; number++) {
    const [was, is] = [before.scores[number]!, after.scores[number]!];
    if (was !== is) writer.add(number, is, was, after.percentiles[number]!);
  }
  return writer.bytes;
}

/** The changes of two days that follow each other as those of the later one. */
export function joinChanges(earlier: Uint8Array, later: Uint8Array | null): Uint8Array {
  const changes = new Map<number, [score: number, before: number, percentile: number]>();
  readChanges(earlier, (number, score, before, percentile) => changes.set(number, [score, before, percentile]));
  readChanges(later ?? new Uint8Array(), (number, score, before, percentile) =>
    changes.set(number, [score, changes.get(number)?.[1] ?? before, percentile]),
  );
  const writer = new ChangeWriter();
  for (const [number, change] of changes) writer.add(number, ...change);
  return writer.bytes ?? new Uint8Array();
}

/** Packs changes, of each number one, in whatever order they come. */
export class ChangeWriter {
  readonly #keys: number[] = [];
  readonly #before = new Int32Array(CVES_PER_BLOCK);
  readonly #percentiles = new Int32Array(CVES_PER_BLOCK);

  add(number: number, score: number, before: number, percentile: number): void {
    this.#keys.push((score + 1) * CVES_PER_BLOCK + number);
    this.#before[number] = before;
    this.#percentiles[number] = percentile;
  }

  /** Null: no change was added. */
  get bytes(): Uint8Array | null {
    if (this.#keys.length === 0) return null;
    const bytes = new Uint8Array(this.#keys.length * 3 * MAX_VARINT_BYTES);
    let end = 0;
    let lastKey = 0;
    let lastPercentile = NONE;
    for (const key of Uint32Array.from(this.#keys).sort()) {
      const number = key % CVES_PER_BLOCK;
      const score = (key - number) / CVES_PER_BLOCK - 1;
      end = writeVarint(bytes, end, key - lastKey);
      end = writeVarint(bytes, end, zigzag(score - this.#before[number]!));
      lastKey = key;
      if (score === NONE) continue;
      end = writeVarint(bytes, end, zigzag(this.#percentiles[number]! - lastPercentile));
      lastPercentile = this.#percentiles[number]!;
    }
    return bytes.slice(0, end);
  }
}
