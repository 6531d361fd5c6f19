import { INJECTION_KINDS, type InjectionKind, mergeTaints } from '../taint.ts';
import type { EvaluatedCall } from './call-types.ts';
import type { Evaluator } from './evaluator.ts';
import { NameTest } from './name-test.ts';
import { elementOf } from './source-values.ts';
import { type Escape, isTainted, listValue, UNKNOWN, type Value, withoutTaint } from './value.ts';

/** Functions that put quotes around a value. */
const QUOTING = new NameTest(/^(quote|qstr|quoteValue|quoteInto|pg_escape_literal|escape_literal|escapeLiteral)$/);
/** Functions that may take the quotes off again. */
const TRIMMING = new NameTest(
  /^(trim|ltrim|rtrim|strip|substr|mb_substr|slice|substring|delete|tr|gsub|replace|str_replace|delete_prefix|delete_suffix)$/,
);

/** The result of a sanitizer: harmless everywhere, or where its escape is of use; null: no rule has the call as a sanitizer. */
export function sanitizerResult(
  { rules }: Evaluator,
  { callee: { names }, receiver }: Pick<EvaluatedCall, 'callee' | 'receiver'>,
  values: readonly Value[],
): Value | null {
  const [kinds] = rules.sanitizers.find(names);
  if (kinds === undefined) return null;
  const tainted = [...values, ...(receiver === null ? [] : [receiver])].filter(isTainted);
  const [first] = tainted;
  const taint = mergeTaints(tainted.map((value) => value.taint));
  const hidden = mergeTaints([taint, ...tainted.map((value) => value.hidden)]);
  const isSafe = kinds.length === INJECTION_KINDS.length || first === undefined;
  const result = isSafe ? { ...UNKNOWN, hidden } : { ...withoutTaint({ ...first, taint }, kinds), hidden, names: [] };
  const kind = kinds.includes('sql') ? 'sql' : 'command';
  const place = kinds.length === 1 ? placeOf({ rules }, names, kind) : null;
  const source = taint[kind];
  return place === null || source === undefined ? result : { ...result, escape: { source, kind, place } };
}

/** The list that a sanitizer makes that is passed as a function, `array_map('intval', $ids)`, `ids.map(Number)`; null: none is. */
export function sanitizedElements(
  evaluator: Evaluator,
  { node, receiver }: EvaluatedCall,
  values: readonly Value[],
): Value | null {
  for (const passed of values) {
    const { text, names } = passed;
    const callee = text === null ? passed : { ...passed, names: [text, `#.${text}`] };
    const lists = [...(receiver === null ? [] : [receiver]), ...values.filter((value) => value !== passed)];
    const elements = lists.map((list) => elementOf(evaluator.rules, list, UNKNOWN, node));
    const element =
      names.length === 0 && text === null ? null : sanitizerResult(evaluator, { callee, receiver: null }, elements);
    if (element !== null) return isTainted(element) ? listValue([element]) : element;
  }
  return null;
}

function placeOf(
  { rules }: Pick<Evaluator, 'rules'>,
  names: readonly string[],
  kind: InjectionKind,
): Escape['place'] | null {
  if (kind === 'command') return rules.wordEscapers.find(names)[0] ?? null;
  if (rules.quoteEscapers.has(names)) return 'quoted';
  return names.some((name) => QUOTING.test(name.slice(name.lastIndexOf('.') + 1))) ? 'bare' : null;
}

/** A quoted value without its quotes is harmless between other quotes alone: `trim($pdo->quote($x), "'")`. */
export function unquotedResult({ receiver }: EvaluatedCall, name: string, values: readonly Value[]): Value | null {
  const quoted = [...values, ...(receiver === null ? [] : [receiver])].find(({ escape }) => escape?.place === 'bare');
  if (quoted === undefined || !TRIMMING.test(name)) return null;
  const [from, to] = values.filter((value) => value !== quoted);
  const takesQuotes = /['"]/.test(from?.text ?? '') || (from?.constant === 1 && to !== undefined);
  return takesQuotes ? withoutQuotes(quoted) : null;
}

/** The value that had its own quotes, without them. */
export function withoutQuotes(value: Value): Value {
  const { escape, hidden, taint } = value;
  return escape === null ? value : { ...UNKNOWN, taint, hidden, escape: { ...escape, place: 'quoted' } };
}
