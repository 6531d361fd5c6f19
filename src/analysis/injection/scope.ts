import { oneOf, UNKNOWN, type Value } from './value.ts';

/**
 * What is known of names at one point of a program. A branch of the program writes into a layer of its own, which is joined to what
 * lies below when the branch ends.
 */
export class Scope {
  readonly parent: Scope | null;
  readonly #own = new Map<string, Value>();
  /** The rest of the block or of the routine does not run. */
  left: 'block' | 'routine' | null = null;

  constructor(parent: Scope | null) {
    this.parent = parent;
  }

  get(name: string): Value | undefined {
    let value = this.#own.get(name);
    for (let below = this.parent; value === undefined && below !== null; below = below.parent) {
      value = below.#own.get(name);
    }
    return value;
  }

  set(name: string, value: Value): void {
    this.#own.set(name, value);
  }

  branch(): Scope {
    return new Scope(this);
  }

  /** Takes over what the branches wrote: each name has the value of one of those that go on. */
  join(branches: readonly Scope[]): void {
    const going = branches.filter(({ left }) => left === null);
    if (going.length === 0 && branches.length > 0) {
      this.left = branches.some(({ left }) => left === 'block') ? 'block' : 'routine';
      return;
    }
    const names = new Set(going.flatMap((branch) => [...branch.#own.keys()]));
    for (const name of names) {
      const before = this.get(name);
      this.#own.set(name, oneOf(going.map((branch) => branch.#own.get(name) ?? before ?? UNKNOWN)));
    }
  }

  /** Takes over what a callback wrote to names that were there before it. */
  absorb(inner: Scope): void {
    for (const [name, value] of inner.#own) {
      const before = this.get(name);
      if (before !== undefined) this.#own.set(name, value === before ? value : oneOf([before, value]));
    }
  }
}
