/** Finds rows by a qualified name (`a.b.c`), compared from its end. */
export class NameTable<Row> {
  readonly #byLast = new Map<string, { rest: readonly string[]; row: Row }[]>();

  /**
   * Patterns are separated by spaces. `fs.readFile` also matches at the end of a longer name, `*.query` matches any member with that
   * name, `open` only a name without a receiver, `new T` a constructor. `fs.{readFile,stat}` is one pattern for each of them.
   */
  constructor(rows: readonly (readonly [patterns: string, row: Row])[]) {
    for (const [patterns, row] of rows) {
      for (const pattern of patterns
        .replace(/(?<![\w.])new\s+/g, 'new:')
        .trim()
        .split(/\s+/)
        .flatMap(expand)) {
        if (pattern === '') continue;
        const segments = pattern.split('.');
        const last = segments.pop()!;
        const known = this.#byLast.get(last) ?? [];
        known.push({ rest: segments, row });
        this.#byLast.set(last, known);
      }
    }
  }

  /** The rows with a pattern that one of the names matches, in the order of names. `methods` false: without patterns like `*.query`. */
  find(names: readonly string[], methods = true): readonly Row[] {
    let found: Row[] | null = null;
    for (const name of names) {
      const known = this.#byLast.get(name.slice(name.lastIndexOf('.') + 1));
      if (known === undefined) continue;
      const segments = name.split('.').slice(0, -1);
      for (const { rest, row } of known) {
        if (!matches(rest, segments) || (!methods && rest[0] === '*')) continue;
        found ??= [];
        if (!found.includes(row)) found.push(row);
      }
    }
    return found ?? NONE;
  }

  has(names: readonly string[], methods = true): boolean {
    return this.find(names, methods).length > 0;
  }
}

const NONE: readonly never[] = [];

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.length === 0) return path.length === 0;
  if (pattern.length > path.length) return false;
  return pattern.every((segment, index) => segment === '*' || segment === path[path.length - pattern.length + index]);
}

function expand(pattern: string): string[] {
  const found = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern);
  if (found === null) return [pattern];
  const [, before = '', inside = '', after = ''] = found;
  return inside.split(',').flatMap((word) => expand(`${before}${word}${after}`));
}
