import { type CheckedPath, isRequestTainted, mergeValues, UNKNOWN, type Value, withoutTaint } from './value.ts';

/** A field of the current object: `this.name`, `self.name`, `@name`. */
const FIELD = /^(?:(?:this|self|\$this)\.|@(?!@))(\w+)$/;

/** By name, all values that a part of the program wrote, merged: where an exception is thrown, the name may have any of them. */
export type WrittenValues = Map<string, Value>;

/**
 * The values of names at one point of a program. A scope is a layer upon its parent: a branch of the program writes into a layer of
 * its own, and `join` merges the layers of all branches into the parent when they end.
 */
export class Scope {
  readonly parent: Scope | null;
  readonly #own = new Map<string, Value>();
  /** All names that any layer ever had: most of those that are asked for are none of them. */
  readonly #known: Set<string>;
  readonly #writes: WrittenValues | null;
  /** What a jump has left: the rest of it does not run. */
  exited: 'block' | 'function' | null = null;

  constructor(parent: Scope | null, writes: WrittenValues | null = parent === null ? null : parent.#writes) {
    this.parent = parent;
    this.#writes = writes;
    this.#known = parent === null ? new Set() : parent.#known;
  }

  /** The number of names in this layer. */
  get size(): number {
    return this.#own.size;
  }

  get(name: string): Value | undefined {
    if (!this.#known.has(name)) return undefined;
    let value = this.#own.get(name);
    for (let below = this.parent; value === undefined && below !== null; below = below.parent) {
      value = below.#own.get(name);
    }
    return value;
  }

  /** Whether this layer has the name. */
  hasOwn(name: string): boolean {
    return this.#own.has(name);
  }

  /** Whether a layer from here down to `base` has the name. */
  hasBetween(name: string, base: Scope): boolean {
    if (this.#own.has(name)) return true;
    return this !== base && this.parent !== null && this.parent.hasBetween(name, base);
  }

  set(name: string, value: Value): void {
    this.#known.add(name);
    this.#own.set(name, value);
    if (this.#writes !== null) this.addWrite(name, value);
  }

  /** Merges the value into those that were written. */
  addWrite(name: string, value: Value): void {
    const before = this.#writes?.get(name);
    this.#writes?.set(name, before === undefined ? value : mergeValues([before, value]));
  }

  /** A branch in which these access paths are harmless. */
  branch(checked: readonly CheckedPath[] = []): Scope {
    const branch = new Scope(this);
    branch.markChecked(checked);
    return branch;
  }

  /** A branch whose writes are recorded. */
  recordingBranch(writes: WrittenValues): Scope {
    return new Scope(this, writes);
  }

  /** A branch in which each name has its value here or one of those written. */
  branchWithWrites(writes: WrittenValues): Scope {
    const branch = this.branch();
    for (const [name, value] of writes) {
      const before = this.get(name);
      branch.set(name, before === undefined ? value : mergeValues([before, value]));
    }
    return branch;
  }

  markChecked(checked: readonly CheckedPath[]): void {
    for (const { path, kinds } of checked) {
      const known = this.get(path);
      this.set(path, known === undefined ? { ...UNKNOWN, names: [path] } : withoutTaint(known, kinds));
    }
  }

  /** One layer upon `base` with the names of all layers from there to here. */
  copyOnto(base: Scope): Scope {
    const copy = new Scope(base);
    const layers: Scope[] = [this];
    for (let layer = this.parent; layer !== null && layer !== base; layer = layer.parent) layers.push(layer);
    for (const layer of layers.toReversed()) for (const [name, value] of layer.#own) copy.#own.set(name, value);
    return copy;
  }

  /** Merges the branches into this scope: each name has its value in one of those that no jump has left. */
  join(branches: readonly Scope[]): void {
    const continuing = branches.filter(({ exited }) => exited === null);
    if (continuing.length === 0 && branches.length > 0) {
      this.exited = branches.some(({ exited }) => exited === 'block') ? 'block' : 'function';
      return;
    }
    const names = new Set<string>();
    for (const branch of continuing) for (const name of branch.#own.keys()) names.add(name);
    for (const name of names) {
      const before = this.get(name);
      this.#own.set(name, mergeValues(continuing.map((branch) => branch.#own.get(name) ?? before ?? UNKNOWN)));
    }
  }

  /** Copies fields that a method set to request data into this scope, for the other methods. Returns how many are new. */
  shareFields(method: Scope): number {
    let count = 0;
    for (const [name, value] of method.#own) {
      const field = FIELD.exec(name);
      if (field === null || !isRequestTainted(value)) continue;
      const plain = field[1]!;
      for (const key of this.get(plain) === undefined ? [name] : [name, plain]) {
        const before = this.get(key);
        if (before !== undefined && isRequestTainted(before)) continue;
        this.#known.add(key);
        this.#own.set(key, before === undefined ? value : mergeValues([before, value]));
        count += 1;
      }
    }
    return count;
  }

  /** Merges what a function wrote to names that exist in this scope. */
  mergeWrites(inner: Scope): void {
    for (const [name, value] of inner.#own) {
      const before = this.get(name);
      if (before !== undefined) this.#own.set(name, value === before ? value : mergeValues([before, value]));
    }
  }
}
