import type { Mistake } from './analysis-quality.ts';

/** Counts wrong decisions by what they have in common. */
export class MistakeTally {
  readonly #byKind = new Map<string, Mistake>();

  /** `example`: the name of the case; the first one of a kind is kept. */
  add(kind: string, example: string): void {
    const known = this.#byKind.get(kind);
    this.#byKind.set(kind, { kind, count: (known?.count ?? 0) + 1, example: known?.example ?? example });
  }

  /** The kinds with most cases. */
  commonest(limit: number): Mistake[] {
    return [...this.#byKind.values()].toSorted((one, other) => other.count - one.count).slice(0, limit);
  }
}
