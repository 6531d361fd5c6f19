/**
 * A set of ordinals from 0 to `size` - 1, one bit for each: thirty kilobytes for 240,000 CVEs. A filter is one pass over those that are
 * still in the set, so that each further filter costs less.
 */
export class OrdinalSet {
  readonly #words: Int32Array;

  private constructor(words: Int32Array) {
    this.#words = words;
  }

  /** Every ordinal. */
  static all(size: number): OrdinalSet {
    const words = new Int32Array((size + 31) >>> 5).fill(-1);
    if (size % 32 !== 0) words[words.length - 1] = (1 << (size % 32)) - 1;
    return new OrdinalSet(words);
  }

  /** The ordinals of all lists, each of which is below `size`. */
  static of(size: number, lists: Iterable<Uint32Array>): OrdinalSet {
    const words = new Int32Array((size + 31) >>> 5);
    for (const list of lists) {
      for (let index = 0; index < list.length; index++) {
        const ordinal = list[index]!;
        words[ordinal >>> 5]! |= 1 << (ordinal & 31);
      }
    }
    return new OrdinalSet(words);
  }

  has(ordinal: number): boolean {
    return ((this.#words[ordinal >>> 5]! >>> (ordinal & 31)) & 1) === 1;
  }

  get count(): number {
    let count = 0;
    for (let index = 0; index < this.#words.length; index++) count += countBits(this.#words[index]!);
    return count;
  }

  /** How many are from `first` on and below `end`. */
  countBetween(first: number, end: number): number {
    let count = 0;
    for (let index = first >>> 5; index << 5 < end; index++) {
      let word = this.#words[index]!;
      if (index === first >>> 5) word &= -1 << (first & 31);
      if (index === end >>> 5) word &= (1 << (end & 31)) - 1;
      count += countBits(word);
    }
    return count;
  }

  /** Keeps what the other set has, too. */
  intersect(other: OrdinalSet): void {
    const others = other.#words;
    for (let index = 0; index < others.length; index++) this.#words[index]! &= others[index]!;
  }

  /** Keeps what the other set does not have. */
  remove(other: OrdinalSet): void {
    const others = other.#words;
    for (let index = 0; index < others.length; index++) this.#words[index]! &= ~others[index]!;
  }

  add(ordinal: number): void {
    this.#words[ordinal >>> 5]! |= 1 << (ordinal & 31);
  }

  /** Keeps the ordinals from `first` on that are below `end`. */
  keepBetween(first: number, end: number): void {
    this.#words.fill(0, 0, first >>> 5);
    if (first % 32 !== 0) this.#words[first >>> 5]! &= -1 << (first % 32);
    this.#words.fill(0, (end + 31) >>> 5);
    if (end % 32 !== 0) this.#words[end >>> 5]! &= (1 << (end % 32)) - 1;
  }

  /**
   * Keeps the ordinals whose value in the column, or those of its bits that are in the mask, is between these, both inclusive and below
   * 2^31. The test is arithmetic: a condition takes five times as long, because the processor predicts it wrong for every second score.
   */
  keep(column: Uint8Array | Uint32Array, min: number, max: number, mask = -1): void {
    const words = this.#words;
    const below = min - 1;
    const above = max + 1;
    for (let index = 0; index < words.length; index++) {
      if (words[index] === 0) continue;
      const first = index << 5;
      let kept = 0;
      for (let ordinal = Math.min(first + 32, column.length) - 1; ordinal >= first; ordinal--) {
        const value = column[ordinal]! & mask;
        kept = (kept << 1) | (((below - value) & (value - above)) >>> 31);
      }
      words[index]! &= kept;
    }
  }

  /** A set of its own, with the same ordinals. */
  copy(): OrdinalSet {
    return new OrdinalSet(this.#words.slice());
  }

  /** All of them, ascending. */
  toArray(): Uint32Array {
    const ordinals = new Uint32Array(this.count);
    let end = 0;
    for (let index = 0; index < this.#words.length; index++) {
      for (let left = this.#words[index]!; left !== 0; left &= left - 1)
        ordinals[end++] = (index << 5) + 31 - Math.clz32(left & -left);
    }
    return ordinals;
  }

  /** Ascending, without the first `offset`; at most `limit`. */
  slice(offset: number, limit: number): number[] {
    const ordinals: number[] = [];
    let skip = offset;
    for (let index = 0; index < this.#words.length && ordinals.length < limit; index++) {
      let left = this.#words[index]!;
      const count = countBits(left);
      if (skip >= count) {
        skip -= count;
        continue;
      }
      for (; left !== 0 && ordinals.length < limit; left &= left - 1) {
        if (skip > 0) skip--;
        else ordinals.push((index << 5) + 31 - Math.clz32(left & -left));
      }
    }
    return ordinals;
  }
}

/** https://graphics.stanford.edu/~seander/bithacks.html#CountBitsSetParallel */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
