import type { IrClass, IrFunction } from '../ir/ir.ts';

const CONSTRUCTORS = ['constructor', '__init__', '__construct', 'initialize'];
const MAX_SUPERS = 10;
const PROPERTY = /\bget\s*$|@(\w+\.)?(cached_)?property\b/;

/** What is known of the classes of the program: whom they extend, and which methods a call may reach. */
export class ClassTable {
  readonly #classes: ReadonlyMap<string, IrClass>;
  readonly #lineages = new Map<string, readonly IrClass[]>();
  readonly #methods = new Map<string, readonly IrFunction[]>();
  readonly #getters = new Map<string, ReadonlyMap<string, readonly IrFunction[]>>();
  /** By class, those that extend it. */
  #extending: ReadonlyMap<IrClass, readonly IrClass[]> | null = null;

  constructor(classes: ReadonlyMap<string, IrClass>) {
    this.#classes = classes;
  }

  /** The class with the name of this type; null: it is not in this code. */
  named(type: string | null): IrClass | null {
    if (type === null || this.#classes.size === 0) return null;
    return this.#classes.get(type) ?? this.#classes.get(plainName(type)) ?? null;
  }

  /** The class and the classes of this code that it extends, itself first. */
  lineage(start: IrClass): readonly IrClass[] {
    const known = this.#lineages.get(start.name);
    if (known !== undefined) return known;
    const found: IrClass[] = [];
    const open = [start.name];
    for (let name = open.shift(); name !== undefined && found.length < MAX_SUPERS; name = open.shift()) {
      const one = this.#classes.get(name);
      if (one === undefined || found.includes(one)) continue;
      found.push(one);
      open.push(...one.supers);
    }
    this.#lineages.set(start.name, found);
    return found;
  }

  /** Whether the class extends one that is not in this code. */
  hasUnknownSuper(start: IrClass): boolean {
    return this.lineage(start).some(({ supers }) => supers.some((name) => !this.#classes.has(name)));
  }

  /** The methods with this name that a call on an instance may reach. `isExact`: no subclass may have its own. */
  methods(start: IrClass, name: string, isExact: boolean): readonly IrFunction[] {
    const key = `${start.name}.${name}.${isExact}`;
    let found = this.#methods.get(key);
    if (found === undefined) {
      found = this.#findMethods(start, name, isExact);
      this.#methods.set(key, found);
    }
    return found;
  }

  constructors(owner: IrClass): readonly IrFunction[] {
    for (const { name, methods } of this.lineage(owner)) {
      for (const constructor of [name, ...CONSTRUCTORS]) {
        const found = methods.get(constructor);
        if (found !== undefined) return found;
      }
    }
    return [];
  }

  /** The methods that compute the property with this name. */
  getters(owner: IrClass, name: string): readonly IrFunction[] {
    let getters = this.#getters.get(owner.name);
    if (getters === undefined) {
      this.#extending ??= this.#findExtending();
      const classes = [...this.lineage(owner), ...(this.#extending.get(owner) ?? [])];
      const computing = classes.flatMap(({ methods }) => [...methods.values()].flat()).filter(isGetter);
      const names = new Set(computing.map(({ name }) => name ?? ''));
      getters = new Map([...names].map((one) => [one, this.methods(owner, one, false).filter(isGetter)]));
      this.#getters.set(owner.name, getters);
    }
    return getters.get(name) ?? [];
  }

  #findMethods(start: IrClass, name: string, isExact: boolean): readonly IrFunction[] {
    const own =
      this.lineage(start)
        .find(({ methods }) => methods.has(name))
        ?.methods.get(name) ?? [];
    if (isExact && own.some(({ isAbstract }) => !isAbstract)) return own;
    this.#extending ??= this.#findExtending();
    const overriding = (this.#extending.get(start) ?? []).flatMap((one) => one.methods.get(name) ?? []);
    return overriding.length === 0 ? own : [...own, ...overriding];
  }

  #findExtending(): Map<IrClass, IrClass[]> {
    const extending = new Map<IrClass, IrClass[]>();
    for (const one of this.#classes.values()) {
      for (const above of this.lineage(one).slice(1)) {
        const known = extending.get(above);
        if (known === undefined) extending.set(above, [one]);
        else known.push(one);
      }
    }
    return extending;
  }
}

function isGetter({ annotations, parameters }: IrFunction): boolean {
  return parameters.length === 0 && PROPERTY.test(annotations);
}

/** Of `List<String>`, `*Server` or `a.b.C`: the name alone. */
function plainName(type: string): string {
  const plain = /^[*&?\s]*([\w.$\\]+)/.exec(type)?.[1] ?? type;
  return plain.slice(Math.max(plain.lastIndexOf('.'), plain.lastIndexOf('\\')) + 1);
}
