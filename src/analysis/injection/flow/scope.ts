import { mergeValues } from './merge-values.ts';
import {
  type CheckedPath,
  isRequestTainted,
  isTainted,
  type ObjectIdentity,
  UNKNOWN,
  type Value,
  withoutTaint,
} from './value.ts';

/** By name and object, all values that a part of the program wrote, merged: where an exception is thrown, any of them may be there. */
export interface WrittenValues {
  readonly names: Map<string, Value>;
  readonly objects: Map<ObjectIdentity, Value>;
}

/** What the function is that a scope belongs to. */
interface Frame {
  /** Where names are looked up that the function does not have: the scope in which it was defined. */
  readonly outside: Scope;
  /** The object whose method is called; null: it is not known. */
  readonly self: Value | null;
  readonly selfName: string | null;
}

/**
 * The values of names and objects at one point of a program. A scope is a layer upon its parent: a branch of the program writes into a
 * layer of its own, and `join` merges the layers of all branches into the parent when they end. The layer of a called function
 * stands upon the caller, whose objects it sees; its names it looks up where it was defined.
 */
export class Scope {
  readonly parent: Scope | null;
  /** Of a function's first layer. */
  readonly #frame: Frame | null;
  /** Where names are looked up that this layer does not have. */
  readonly #outside: Scope | null;
  readonly #own = new Map<string, Value>();
  #objects: Map<ObjectIdentity, Value> | null = null;
  /** All names that any layer ever had: most of those that are asked for are none of them. */
  readonly #known: Set<string>;
  readonly #writes: WrittenValues | null;
  /** The object whose method runs here; null: it is not known. */
  readonly self: Value | null;
  /** What a jump has left: the rest of it does not run. */
  exited: 'block' | 'function' | null = null;

  constructor(
    parent: Scope | null,
    writes: WrittenValues | null = parent === null ? null : parent.#writes,
    frame: Frame | null = null,
  ) {
    this.parent = parent;
    this.#frame = frame;
    this.#outside = frame === null ? parent : frame.outside;
    this.#writes = writes;
    this.#known = parent === null ? new Set() : parent.#known;
    this.self = frame === null ? (parent?.self ?? null) : frame.selfName === null ? frame.outside.self : frame.self;
  }

  /** The number of names in this layer. */
  get size(): number {
    return this.#own.size;
  }

  get(name: string): Value | undefined {
    return this.#known.has(name) ? Scope.#find(this, name) : undefined;
  }

  static #find(start: Scope, name: string): Value | undefined {
    let layer: Scope | null = start;
    while (layer !== null) {
      const value = layer.#own.get(name);
      if (value !== undefined) return value;
      const frame: Frame | null = layer.#frame;
      // The fields of another object of the class.
      if (frame !== null && frame.self !== null && name.startsWith(`${frame.selfName}.`)) return undefined;
      layer = layer.#outside;
    }
    return undefined;
  }

  /** The value of a name of the function that runs here. */
  getLocal(name: string): Value | undefined {
    return this.#known.has(name) ? Scope.#findLocal(this, name) : undefined;
  }

  static #findLocal(start: Scope, name: string): Value | undefined {
    let layer: Scope | null = start;
    while (layer !== null) {
      const value = layer.#own.get(name);
      if (value !== undefined) return value;
      layer = layer.#frame === null ? layer.parent : null;
    }
    return undefined;
  }

  /** The value of a name, also that of a function around a closure, up to the method whose object is `self`. */
  getInMethod(name: string): Value | undefined {
    return this.#known.has(name) ? Scope.#findInMethod(this, name) : undefined;
  }

  static #findInMethod(start: Scope, name: string): Value | undefined {
    let layer: Scope | null = start;
    while (layer !== null) {
      const value = layer.#own.get(name);
      if (value !== undefined) return value;
      layer = layer.#frame?.selfName != null ? null : layer.#outside;
    }
    return undefined;
  }

  /** Whether this layer has the name. */
  hasOwn(name: string): boolean {
    return this.#own.has(name);
  }

  /** The object as it is now. */
  objectOf(identity: ObjectIdentity): Value {
    const own = this.#objects?.get(identity);
    if (own !== undefined) return own;
    for (let layer = this.parent; layer !== null; layer = layer.parent) {
      const value = layer.#objects?.get(identity);
      if (value !== undefined) return value;
    }
    return identity.initial;
  }

  set(name: string, value: Value): void {
    this.#known.add(name);
    this.#own.set(name, value);
    if (this.#writes !== null) addTo(this.#writes.names, name, value);
  }

  setObject(identity: ObjectIdentity, value: Value): void {
    identity.isChanged = true;
    this.#objects ??= new Map();
    this.#objects.set(identity, value);
    if (this.#writes !== null) addTo(this.#writes.objects, identity, value);
  }

  addWrites({ names, objects }: WrittenValues): void {
    if (this.#writes === null) return;
    for (const [name, value] of names) addTo(this.#writes.names, name, value);
    for (const [identity, value] of objects) addTo(this.#writes.objects, identity, value);
  }

  /** A branch in which these access paths are harmless. */
  branch(checked: readonly CheckedPath[] = []): Scope {
    const branch = new Scope(this);
    if (checked.length > 0) branch.markChecked(checked);
    return branch;
  }

  /** The layer of a function that is called here and was defined in `outside`. */
  functionLayer(outside: Scope, selfName: string | null, self: Value | null): Scope {
    return new Scope(this, this.#writes, { outside, selfName, self });
  }

  /** A branch whose writes are recorded. */
  recordingBranch(writes: WrittenValues): Scope {
    return new Scope(this, writes);
  }

  /** A branch in which each name and object has its value here or one of those written. */
  branchWithWrites({ names, objects }: WrittenValues): Scope {
    const branch = this.branch();
    for (const [name, value] of names) {
      const before = this.get(name);
      branch.set(name, before === undefined ? value : mergeValues([before, value]));
    }
    for (const [identity, value] of objects) {
      branch.setObject(identity, mergeValues([this.objectOf(identity), value]));
    }
    return branch;
  }

  markChecked(checked: readonly CheckedPath[]): void {
    for (const { path, kinds } of checked) {
      const known = this.get(path);
      this.set(path, known === undefined ? { ...UNKNOWN, names: [path] } : withoutTaint(known, kinds));
    }
  }

  /** One layer upon `base` with the names and objects of all layers from there to here. */
  copyOnto(base: Scope): Scope {
    const copy = new Scope(base);
    const layers: Scope[] = [this];
    for (let layer = this.parent; layer !== null && layer !== base; layer = layer.parent) layers.push(layer);
    for (const layer of layers.toReversed()) {
      for (const [name, value] of layer.#own) copy.#own.set(name, value);
      if (layer.#objects === null) continue;
      copy.#objects ??= new Map();
      for (const [identity, value] of layer.#objects) copy.#objects.set(identity, value);
    }
    return copy;
  }

  /** Merges the branches into this scope: each name has its value in one of those that no jump has left. */
  join(branches: readonly Scope[]): void {
    const continuing = branches.filter(({ exited }) => exited === null);
    if (continuing.length === 0) {
      if (branches.length === 0) return;
      this.exited = branches.some(({ exited }) => exited === 'block') ? 'block' : 'function';
      return;
    }
    for (const branch of continuing) {
      for (const name of branch.#own.keys()) {
        if (branch !== continuing[0] && continuing[0]!.#own.has(name)) continue;
        const before = this.get(name);
        // A path that one branch has tested is in the others what it was: read again from the source.
        if (
          before === undefined &&
          name.includes('.') &&
          isOnlyTested(
            name,
            continuing.map((each) => each.#own.get(name)),
          )
        )
          continue;
        this.#own.set(name, mergeValues(continuing.map((each) => each.#own.get(name) ?? before ?? UNKNOWN)));
      }
    }
    this.joinObjects(continuing);
  }

  joinObjects(branches: readonly Scope[]): void {
    for (const branch of branches) {
      if (branch.#objects === null) continue;
      for (const identity of branch.#objects.keys()) {
        const before = this.objectOf(identity);
        this.#objects ??= new Map();
        this.#objects.set(identity, mergeValues(branches.map((each) => each.#objects?.get(identity) ?? before)));
      }
    }
  }

  /** Whether this layer holds changes that matter in the next iteration of a loop which assigns these names. */
  carriesOn(assigned: ReadonlySet<string>): boolean {
    if (this.#objects !== null) return true;
    for (const [name, value] of this.#own) {
      if (!isTainted(value) && value.identity === null && value.fn === null) continue;
      if (assigned.has(name) || name.includes('.')) return true;
    }
    return false;
  }

  /** Removes names that begin in the block that ends here. */
  forget(names: readonly string[]): void {
    for (const name of names) this.#own.delete(name);
  }

  /** Copies request data that a function wrote to names of the code around it, for other functions, and notes their names. */
  shareWrites(inner: Scope, locals: ReadonlySet<string>, shared: { add(name: string): void }): void {
    for (const [name, value] of inner.#own) {
      if (!isRequestTainted(value) || locals.has(name) || locals.has(baseOf(name))) continue;
      const before = this.get(name);
      if (before !== undefined && isRequestTainted(before)) continue;
      this.set(name, { ...(before === undefined ? value : mergeValues([before, value])), identity: null });
      shared.add(name);
    }
  }

  /**
   * Merges what a function wrote to names of the code around it; not the name of its own object, and fields of that only where it is
   * the object here or not known.
   */
  mergeWrites(inner: Scope, locals: ReadonlySet<string>, selfName: string | null): void {
    const isOwn = inner.self === null || inner.self.identity === this.self?.identity;
    for (const [name, value] of inner.#own) {
      if (locals.has(name) || locals.has(baseOf(name))) continue;
      if (name === selfName || (!isOwn && baseOf(name) === selfName)) continue;
      const before = this.get(name);
      this.set(name, before === undefined || value === before ? value : mergeValues([before, value]));
    }
  }
}

/** The variable of an access path: `a` of `a.b(c).d`. */
function baseOf(name: string): string {
  const end = name.search(/[.(]/);
  return end === -1 ? name : name.slice(0, end);
}

/** Whether some branches have no value for the access path, and the others one that a test has left. */
function isOnlyTested(path: string, values: readonly (Value | undefined)[]): boolean {
  return values.includes(undefined) && values.every((value) => value === undefined || value.names[0] === path);
}

function addTo<Key>(written: Map<Key, Value>, key: Key, value: Value): void {
  const before = written.get(key);
  written.set(key, before === undefined ? value : mergeValues([before, value]));
}
