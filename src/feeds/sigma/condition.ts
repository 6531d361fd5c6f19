/** A condition as a tree over the names of selections. */
export type SigmaCondition =
  | { kind: 'selection'; name: string }
  | { kind: 'not'; of: SigmaCondition }
  | { kind: 'all' | 'any'; of: SigmaCondition[] }
  /** At least `least` of them. */
  | { kind: 'some'; least: number; of: SigmaCondition[] };

const MAX_NESTING = 50;
/** Comparisons of names with patterns, for all patterns together. */
const MAX_COMPARISONS = 100_000;

/**
 * Parses the condition of a rule (Sigma specification 2: `not` binds closest, then `and`, then `or`; `1 of` and `all of` with a
 * pattern or `them`). Null for other conditions: aggregations of older rules, or a selection that does not exist.
 */
export function parseCondition(text: string, selections: readonly string[]): SigmaCondition | null {
  const tokens = text.match(/[()|]|[^\s()|]+/g) ?? [];
  let at = 0;
  let depth = 0;
  let comparisons = 0;

  /** Consumes the next token if it is this keyword; the name of a selection is never a keyword. */
  function consume(word: string): boolean {
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
    } while (consume(word));
    return joinConditions(kind, items);
  }

  const alternatives = (): SigmaCondition | null => list('any', 'or', conjunction);
  const conjunction = (): SigmaCondition | null => list('all', 'and', negation);

  function negation(): SigmaCondition | null {
    if (++depth > MAX_NESTING) return null;
    const found = consume('not') ? negateCondition(negation()) : primary();
    depth--;
    return found;
  }

  function primary(): SigmaCondition | null {
    if (consume('(')) {
      const inner = alternatives();
      return consume(')') ? inner : null;
    }
    const name = tokens[at++];
    if (name === undefined) return null;
    if (tokens[at]?.toLowerCase() !== 'of') return selections.includes(name) ? { kind: 'selection', name } : null;
    at++;
    const pattern = tokens[at++];
    comparisons += selections.length;
    if (pattern === undefined || comparisons > MAX_COMPARISONS) return null;
    const matching = selections.filter((selection) => matchesPattern(selection, pattern));
    return matching.length === 0 ? null : quantifiedCondition(name.toLowerCase(), matching);
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

/** `them` means all selections whose name does not begin with an underscore. */
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
