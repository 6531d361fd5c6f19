/**
 * Which tables of one language know the last part of a name. Most names of a program are in no table: one look-up for all tables
 * says so.
 */
export class NameIndex {
  /** For each word of tables, their bits by the last part of a name. */
  readonly #words: Map<string, number>[] = [];
  #tableCount = 0;
  /** The names that were asked for last: a call asks many tables for the same ones. */
  #names: readonly string[] = NONE;
  #tables: number[] = [];

  /** A place for one more table. */
  addTable(): TablePlace {
    const word = Math.floor(this.#tableCount / BITS);
    this.#words[word] ??= new Map();
    return { word, bit: 1 << (this.#tableCount++ % BITS) };
  }

  addLast(last: string, { word, bit }: TablePlace): void {
    const known = this.#words[word]!;
    known.set(last, (known.get(last) ?? 0) | bit);
  }

  /** Whether the table knows the last part of one of the names. */
  isKnown(names: readonly string[], { word, bit }: TablePlace): boolean {
    if (names !== this.#names) {
      this.#names = names;
      this.#tables = this.#words.map(() => 0);
      for (const name of names) {
        const last = lastPart(name);
        for (const [at, known] of this.#words.entries()) this.#tables[at]! |= known.get(last) ?? 0;
      }
    }
    return (this.#tables[word]! & bit) !== 0;
  }
}

/** A bit in one of the words of an index. */
interface TablePlace {
  readonly word: number;
  readonly bit: number;
}

const NONE: readonly never[] = [];
/** Of an integer. */
const BITS = 31;

interface Pattern<Row> {
  /** How what stands before the last part is compared. */
  readonly kind: 'alone' | 'any' | 'tail' | 'segments';
  /** Of `tail`: the whole pattern. */
  readonly tail: string;
  readonly rest: readonly string[];
  readonly row: Row;
}

/** Finds rows by a qualified name (`a.b.c`), compared from its end. */
export class NameTable<Row> {
  readonly #byLast = new Map<string, Pattern<Row>[]>();
  readonly #index: NameIndex;
  readonly #place: TablePlace;

  /**
   * Patterns are separated by spaces. `fs.readFile` also matches at the end of a longer name, `*.query` matches any member with that
   * name, `open` only a name without a receiver, `new T` a constructor. `fs.{readFile,stat}` is one pattern for each of them.
   * Tables that are asked for the same names share an index.
   */
  constructor(rows: readonly (readonly [patterns: string, row: Row])[], index = new NameIndex()) {
    this.#index = index;
    this.#place = index.addTable();
    for (const [patterns, row] of rows) {
      for (const pattern of patterns
        .replace(/(?<![\w.])new\s+/g, 'new:')
        .trim()
        .split(/\s+/)
        .flatMap(expand)) {
        if (pattern === '') continue;
        const rest = pattern.split('.');
        const last = rest.pop()!;
        const known = this.#byLast.get(last) ?? [];
        known.push({ kind: kindOf(rest), tail: `.${pattern}`, rest, row });
        this.#byLast.set(last, known);
        index.addLast(last, this.#place);
      }
    }
  }

  get isEmpty(): boolean {
    return this.#byLast.size === 0;
  }

  /** The rows with a pattern that one of the names matches, in the order of names. `methods` false: without patterns like `*.query`. */
  find(names: readonly string[], methods = true): readonly Row[] {
    if (!this.#index.isKnown(names, this.#place)) return NONE;
    let found: Row[] | null = null;
    for (const name of names) {
      const known = this.#byLast.get(lastPart(name));
      if (known === undefined) continue;
      for (const pattern of known) {
        if (!matches(pattern, name) || (!methods && pattern.rest[0] === '*')) continue;
        found ??= [];
        if (!found.includes(pattern.row)) found.push(pattern.row);
      }
    }
    return found ?? NONE;
  }

  has(names: readonly string[], methods = true): boolean {
    return this.find(names, methods).length > 0;
  }
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function kindOf(rest: readonly string[]): Pattern<unknown>['kind'] {
  if (rest.length === 0) return 'alone';
  if (rest.length === 1 && rest[0] === '*') return 'any';
  return rest.includes('*') ? 'segments' : 'tail';
}

/** Whether the pattern matches a name with the same last part. */
function matches<Row>({ kind, tail, rest }: Pattern<Row>, name: string): boolean {
  switch (kind) {
    case 'alone':
      return !name.includes('.');
    case 'any':
      return name.includes('.');
    case 'tail':
      return name.endsWith(tail) || (name.length === tail.length - 1 && tail.endsWith(name));
    case 'segments': {
      const path = name.split('.').slice(0, -1);
      const offset = path.length - rest.length;
      return offset >= 0 && rest.every((segment, index) => segment === '*' || segment === path[offset + index]);
    }
  }
}

function expand(pattern: string): string[] {
  const found = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern);
  if (found === null) return [pattern];
  const [, before = '', inside = '', after = ''] = found;
  return inside.split(',').flatMap((word) => expand(`${before}${word}${after}`));
}
