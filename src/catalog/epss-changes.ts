import { MAX_VARINT_BYTES, VarintReader, writeVarint } from './varints.ts';

/**
 * The scores that changed on one day, for one block of CVEs: in order of their numbers, what a CVE's number is more than the last one's,
 * the score and the score before, each plus 1 (0: none), and, where there is a score, the percentile plus 1 (0: not known). All are
 * varints, scores in units of `EPSS_SCALE`. About seven bytes a change: two years of days are some forty megabytes, and the days of one
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

export function readChanges(bytes: Uint8Array, visit: VisitChange): void {
  const reader = new VarintReader(bytes);
  let number = -1;
  while (!reader.isAtEnd) {
    number += reader.next();
    const score = reader.next() - 1;
    const before = reader.next() - 1;
    visit(number, score, before, score === NONE ? NONE : reader.next() - 1);
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
  for (const [number, change] of [...changes].sort(([a], [b]) => a - b)) writer.add(number, ...change);
  return writer.bytes ?? new Uint8Array();
}

class ChangeWriter {
  #bytes = new Uint8Array(1024);
  #end = 0;
  #last = -1;

  add(number: number, score: number, before: number, percentile: number): void {
    if (this.#end + 4 * MAX_VARINT_BYTES > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    const write = (value: number) => (this.#end = writeVarint(this.#bytes, this.#end, value));
    write(number - this.#last);
    write(score + 1);
    write(before + 1);
    if (score !== NONE) write(percentile + 1);
    this.#last = number;
  }

  get bytes(): Uint8Array | null {
    return this.#end === 0 ? null : this.#bytes.slice(0, this.#end);
  }
}
