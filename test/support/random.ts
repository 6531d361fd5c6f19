/** A seeded source of chance, so that a failure can be seen again (xorshift32). */
export interface Chance {
  /** In [0, 1). */
  next: () => number;
  /** Whole number in [0, below). */
  below: (limit: number) => number;
  pick: <Item>(items: readonly Item[]) => Item;
  /** True with this probability. */
  often: (probability: number) => boolean;
}

export function chance(seed: number): Chance {
  let state = seed | 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (items) => items[below(items.length)]!,
    often: (probability) => next() < probability,
  };
}
