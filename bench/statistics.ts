/** The middle value; of an even number of values the mean of the two in the middle. NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The smallest value that `share` (0 to 1) of all values do not exceed (nearest rank). NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The same draws in every run: a 32-bit xorshift generator (Marsaglia 2003). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0 || 1;
  }

  /** At least 0, below 1. */
  next(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return (x >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(values: ArrayLike<T>): T {
    return values[this.between(0, values.length - 1)]!;
  }

  /** `count` different values, or all of them when there are fewer; in random order. */
  sample<T>(values: ArrayLike<T>, count: number): T[] {
    const left = Array.from(values);
    return Array.from({ length: Math.min(count, left.length) }, (_, drawn) => {
      const at = this.between(drawn, left.length - 1);
      const value = left[at]!;
      left[at] = left[drawn]!;
      return value;
    });
  }
}
