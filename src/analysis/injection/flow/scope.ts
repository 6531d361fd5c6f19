import { isRequested, oneOf, UNKNOWN, type Value } from './value.ts';

/** A field of the object itself: `this.name`, `self.name`, `@name`. */
const FIELD = /^(?:(?:this|self|\$this)\.|@(?!@))(\w+)$/;

/** All values that names get in a layer and those upon it, not only the last: any of them may stand when an exception is thrown. */
export type Written = Map<string, Value>;

/**
 * What is known of names at one point of a program. A branch of the program writes into a layer of its own, which is joined to what
 * lies below when the branch ends.
 */
export class Scope {
  readonly parent: Scope | null;
  readonly #own = new Map<string, Value>();
  readonly #written: Written | null;
  /** The rest of the block or of the routine does not run. */
  exited: 'block' | 'routine' | null = null;

  constructor(parent: Scope | null, written: Written | null = null) {
    this.parent = parent;
    this.#written = written ?? (parent === null ? null : parent.#written);
  }

  /** Names in this layer. */
  get size(): number {
    return this.#own.size;
  }

  get(name: string): Value | undefined {
    let value = this.#own.get(name);
    for (let below = this.parent; value === undefined && below !== null; below = below.parent) {
      value = below.#own.get(name);
    }
    return value;
  }

  /** Whether this layer itself says something of the name. */
  hasOwn(name: string): boolean {
    return this.#own.has(name);
  }

  /** Whether this layer, or one from here down to `base`, says something of the name. */
  hasAbove(name: string, base: Scope): boolean {
    if (this.#own.has(name)) return true;
    return this !== base && this.parent !== null && this.parent.hasAbove(name, base);
  }

  set(name: string, value: Value): void {
    this.#own.set(name, value);
    if (this.#written !== null) this.addWrite(name, value);
  }

  /** Keeps a value that the name may have where an exception is thrown. */
  addWrite(name: string, value: Value): void {
    const before = this.#written?.get(name);
    this.#written?.set(name, before === undefined ? value : oneOf([before, value]));
  }

  branch(written: Written | null = null): Scope {
    return new Scope(this, written);
  }

  /** A branch in which each name has the value that it has here, or one of those written. */
  branchAfter(written: Written): Scope {
    const branch = this.branch();
    for (const [name, value] of written) {
      const before = this.get(name);
      branch.set(name, before === undefined ? value : oneOf([before, value]));
    }
    return branch;
  }

  /** One layer upon `base`, with what the layers from there to here say. */
  copyUpon(base: Scope): Scope {
    const copy = new Scope(base);
    const layers: Scope[] = [this];
    for (let layer = this.parent; layer !== null && layer !== base; layer = layer.parent) layers.push(layer);
    for (const layer of layers.toReversed()) for (const [name, value] of layer.#own) copy.#own.set(name, value);
    return copy;
  }

  /** Takes over what the branches wrote: each name has the value of one of those that go on. */
  join(branches: readonly Scope[]): void {
    const going = branches.filter(({ exited }) => exited === null);
    if (going.length === 0 && branches.length > 0) {
      this.exited = branches.some(({ exited }) => exited === 'block') ? 'block' : 'routine';
      return;
    }
    const names = new Set(going.flatMap((branch) => [...branch.#own.keys()]));
    for (const name of names) {
      const before = this.get(name);
      this.#own.set(name, oneOf(going.map((branch) => branch.#own.get(name) ?? before ?? UNKNOWN)));
    }
  }

  /** Takes over fields of the object that a method set to what a request holds, for its other methods; how many are new. */
  shareFields(method: Scope): number {
    let count = 0;
    for (const [name, value] of method.#own) {
      const field = FIELD.exec(name);
      if (field === null || !isRequested(value)) continue;
      const plain = field[1]!;
      for (const key of this.get(plain) === undefined ? [name] : [name, plain]) {
        const before = this.get(key);
        if (before !== undefined && isRequested(before)) continue;
        this.#own.set(key, before === undefined ? value : oneOf([before, value]));
        count += 1;
      }
    }
    return count;
  }

  /** Takes over what a callback wrote to names that were there before it. */
  absorb(inner: Scope): void {
    for (const [name, value] of inner.#own) {
      const before = this.get(name);
      if (before !== undefined) this.#own.set(name, value === before ? value : oneOf([before, value]));
    }
  }
}
