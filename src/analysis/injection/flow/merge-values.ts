import type { IrClass, IrFunction } from '../ir/ir.ts';
import { mergeTaints, NO_TAINT, type Taint } from '../taint.ts';
import { isTainted, MAX_ELEMENTS, UNKNOWN, UNKNOWN_KEY, type Value } from './value.ts';

/** The join of several values, of which the program has one: the worst taint, and what they agree on. */
export function mergeValues(values: readonly Value[]): Value {
  const [first] = values;
  if (first === undefined) return UNKNOWN;
  if (values.length === 1 || values.every((value) => value === first)) return first;
  const taints: Taint[] = [];
  let taintedText: string | null = null;
  let isBuilt = false;
  let names = UNKNOWN.names;
  let isDeclared = true;
  let typeName: string | null = null;
  let isNormalizedPath = true;
  let refines = UNKNOWN.refines;
  let { constant, identity, instanceOf, classOf, fn, hidden, unfollowed, escape } = first;
  let isChoice = false;
  for (const value of values) {
    const tainted = isTainted(value);
    taints.push(value.taint);
    if (tainted) taintedText ??= value.text;
    isBuilt ||= value.isBuilt && value.taint !== NO_TAINT;
    if (names.length === 0) names = value.names;
    isDeclared &&= value.isDeclared;
    typeName ??= value.typeName;
    isNormalizedPath &&= value.isNormalizedPath || !tainted;
    if (value.refines.length > 0) refines = [...refines, ...value.refines].slice(0, MAX_ELEMENTS);
    if (value.hidden !== hidden) hidden = mergeTaints([hidden, value.hidden]);
    if (value.constant !== constant) constant = undefined;
    if (value.identity !== identity) identity = null;
    isChoice ||=
      value.choices.length > 0 ||
      differs(value.fn, fn) ||
      differs(value.instanceOf, instanceOf) ||
      differs(value.classOf, classOf);
    instanceOf ??= value.instanceOf;
    classOf ??= value.classOf;
    unfollowed ??= value.unfollowed;
    escape ??= value.escape;
    fn ??= value.fn;
  }
  return {
    ...UNKNOWN,
    taint: mergeTaints(taints),
    hidden,
    text: taintedText ?? first.text,
    constant,
    isBuilt,
    names,
    isDeclared,
    typeName,
    elements: mergeElements(values),
    fields: mergeFields(values),
    keys: mergeKeys(values),
    identity,
    instanceOf,
    classOf,
    isNormalizedPath,
    refines,
    unfollowed,
    escape,
    fn,
    choices: isChoice ? choicesOf(values) : UNKNOWN.choices,
    outside: fn === first.fn ? first.outside : (values.find((value) => value.fn === fn)?.outside ?? null),
  };
}

function differs<Part>(one: Part | null, other: Part | null): boolean {
  return one !== null && other !== null && one !== other;
}

/** One value for each function and class. */
function choicesOf(values: readonly Value[]): readonly Value[] {
  const found = new Map<IrFunction | IrClass, Value>();
  for (const value of values.flatMap((one) => (one.choices.length > 0 ? one.choices : [one]))) {
    const key = value.fn ?? value.instanceOf ?? value.classOf;
    if (key !== null && !found.has(key)) found.set(key, value);
  }
  return [...found.values()].slice(0, MAX_ELEMENTS);
}

/** Lists by position; one that is shorter does not count behind its end. */
function mergeElements(values: readonly Value[]): readonly Value[] | null {
  const lists = values.map(({ elements }) => elements).filter((elements) => elements !== null);
  const [first] = lists;
  if (first === undefined) return null;
  // A value whose elements are not known may have any.
  const other = values.find((value) => value.elements === null && value.instanceOf === null && holdsData(value));
  if (other !== undefined && first.length < MAX_ELEMENTS) {
    const part: Value = { ...UNKNOWN, taint: other.taint, hidden: other.hidden, unfollowed: other.unfollowed };
    return [...first.map((item) => mergeValues([item, part])), part];
  }
  if (lists.length === 1 || lists.every((list) => list === first)) return first;
  const longest = lists.reduce((one, other) => (other.length > one.length ? other : one));
  return longest.map((_, index) => mergeValues(lists.map((list) => list[index]).filter((item) => item !== undefined)));
}

function mergeFields(values: readonly Value[]): ReadonlyMap<string, Value> | null {
  const records = values.map(({ fields }) => fields).filter((fields) => fields !== null);
  const [first] = records;
  if (first === undefined) return null;
  // A value whose fields are not known may have each of them.
  const other = values.find((value) => value.fields === null && value.instanceOf === null && holdsData(value));
  if (other === undefined && records.every((record) => record === first)) return first;
  const merged = new Map(first);
  for (const record of records.slice(1)) {
    for (const [name, value] of record) {
      const before = merged.get(name);
      merged.set(name, before === undefined || before === value ? value : mergeValues([before, value]));
    }
  }
  return other === undefined ? merged : withAnyField(merged, other);
}

function mergeKeys(values: readonly Value[]): Value | null {
  const keys = values.map((value) => value.keys).filter((key) => key !== null);
  return keys.length === 0 ? null : mergeValues(keys);
}

function holdsData({ taint, unfollowed }: Value): boolean {
  return taint !== NO_TAINT || unfollowed !== null;
}

/** The fields where each of them, and any other one, may hold a part of the value. */
export function withAnyField(fields: ReadonlyMap<string, Value>, { taint, unfollowed }: Value): Map<string, Value> {
  const part: Value = { ...UNKNOWN, taint, unfollowed };
  const all = new Map([...fields].map(([name, value]) => [name, mergeValues([value, part])] as const));
  const rest = fields.get(UNKNOWN_KEY);
  all.set(UNKNOWN_KEY, rest === undefined ? part : mergeValues([rest, part]));
  return all;
}

/** A record of the entries; of one whose key is not known the key is null, and what is known of it stands behind. */
export function recordValue(entries: readonly (readonly [string | null, Value, Value?])[]): Value {
  const fields = new Map<string, Value>();
  const keys = entries.map(([, , key]) => key).filter((key) => key !== undefined);
  for (const [key, value] of entries) {
    const name = key === null || fields.size >= MAX_ELEMENTS ? UNKNOWN_KEY : key;
    const before = name === UNKNOWN_KEY ? fields.get(name) : undefined;
    fields.set(name, before === undefined ? value : mergeValues([before, value]));
  }
  const taint = mergeTaints(entries.map(([, value]) => value.taint));
  return { ...UNKNOWN, taint, fields, keys: keys.length === 0 ? null : mergeValues(keys) };
}
