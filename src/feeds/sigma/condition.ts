/** A condition as a tree over the names of selections. */
export type SigmaCondition =
  | { kind: 'selection'; name: string }
  | { kind: 'not'; of: SigmaCondition }
  | { kind: 'all' | 'any'; of: SigmaCondition[] }
  /** That many of them, or more. */
  | { kind: 'some'; least: number; of: SigmaCondition[] };

const MAX_NESTING = 50;
/** Names that are held against patterns, all patterns together. */
const MAX_COMPARISONS = 100_000;

/**
 * Reads the condition of a rule (Sigma specification 2: `not` binds closest, then `and`, then `or`; `1 of`, `all of` a
 * pattern or `them`). Null where it says something else (the aggregations of older rules, a selection that is not there).
 */
export function parseCondition(text: string, selections: readonly string[]): SigmaCondition | null {
  const tokens = text.match(/[()|]|[^\s()|]+/g) ?? [];
  let at = 0;
  let depth = 0;
  let compared = 0;

  /** Takes the next token where it is this word; the name of a selection is never a word of the language. */
  function takes(word: string): boolean {
    const token = tokens[at];
    if (token?.toLowerCase() !== word || selections.includes(token)) return false;
    at++;
    return true;
  }

  function list(kind: 'any' | 'all', word: string, item: () => SigmaCondition | null): SigmaCondition | null {
    const items: SigmaCondition[] = [];
    do {
      const next = item();
      if (next === null) return null;
      items.push(next);
    } while (takes(word));
    return joinConditions(kind, items);
  }

  const alternatives = (): SigmaCondition | null => list('any', 'or', conjunction);
  const conjunction = (): SigmaCondition | null => list('all', 'and', negation);

  function negation(): SigmaCondition | null {
    if (++depth > MAX_NESTING) return null;
    const found = takes('not') ? negateCondition(negation()) : primary();
    depth--;
    return found;
  }

  function primary(): SigmaCondition | null {
    if (takes('(')) {
      const inner = alternatives();
      return takes(')') ? inner : null;
    }
    const name = tokens[at++];
    if (name === undefined) return null;
    if (tokens[at]?.toLowerCase() !== 'of') return selections.includes(name) ? { kind: 'selection', name } : null;
    at++;
    const pattern = tokens[at++];
    compared += selections.length;
    if (pattern === undefined || compared > MAX_COMPARISONS) return null;
    const meant = selections.filter((selection) => matchesPattern(selection, pattern));
    return meant.length === 0 ? null : quantifiedCondition(name.toLowerCase(), meant);
  }

  const condition = alternatives();
  return at === tokens.length ? condition : null;
}

function quantifiedCondition(count: string, names: readonly string[]): SigmaCondition | null {
  const of = names.map((name): SigmaCondition => ({ kind: 'selection', name }));
  if (count === 'all') return joinConditions('all', of);
  if (count === '1' || count === 'any') return joinConditions('any', of);
  return /^[1-9]\d?$/.test(count) ? { kind: 'some', least: Number(count), of } : null;
}

/** `them` are all selections but those whose name begins with an underscore. */
function matchesPattern(name: string, pattern: string): boolean {
  if (pattern.toLowerCase() === 'them') return !name.startsWith('_');
  const [start = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return name === pattern;
  const end = rest.pop()!;
  if (!name.startsWith(start) || !name.endsWith(end) || name.length < start.length + end.length) return false;
  let from = start.length;
  for (const part of rest) {
    const found = name.indexOf(part, from);
    if (found === -1 || found + part.length > name.length - end.length) return false;
    from = found + part.length;
  }
  return true;
}

function negateCondition(inner: SigmaCondition | null): SigmaCondition | null {
  return inner === null ? null : { kind: 'not', of: inner };
}

function joinConditions(kind: 'any' | 'all', items: SigmaCondition[]): SigmaCondition {
  return items.length === 1 ? items[0]! : { kind, of: items };
}
