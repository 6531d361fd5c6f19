import { NameIndex, NameTable } from './name-table.ts';
import type { Patterns, Rules } from './rules.ts';

type Compiled<Rule> = Rule extends Patterns
  ? NameTable<true>
  : Rule extends readonly (readonly [Patterns, infer Row])[]
    ? NameTable<Row>
    : Rule;

/** Rules in which every list of name patterns is a table; regular expressions stay as they are. */
export type CompiledRules = { readonly [Name in keyof Rules]: Compiled<Rules[Name]> };

const cache = new WeakMap<Rules, CompiledRules>();

/** The rules of a language, ready for lookup. Compiled once. */
export function compileRules(rules: Rules): CompiledRules {
  let compiled = cache.get(rules);
  if (compiled === undefined) {
    const index = new NameIndex();
    const entries = Object.entries(rules).map(([name, rule]: [string, unknown]) => {
      if (typeof rule === 'string') return [name, new NameTable([[rule, true]], index)];
      return [name, Array.isArray(rule) ? new NameTable(rule, index) : rule];
    });
    compiled = Object.fromEntries(entries) as CompiledRules;
    cache.set(rules, compiled);
  }
  return compiled;
}
