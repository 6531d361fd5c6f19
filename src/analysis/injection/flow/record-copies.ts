import { mergeTaints } from '../taint.ts';
import type { EvaluatedCall } from './call-types.ts';
import { keyOf } from './fields.ts';
import { recordValue, withAnyField } from './merge-values.ts';
import { NameTest } from './name-test.ts';
import { partsOfFields } from './record-keys.ts';
import { isTainted, UNKNOWN, type Value, withIdentity } from './value.ts';

const COPY_METHODS = new NameTest(
  /^(dup|clone|copy|with|merge|to_h|toMap|MemberwiseClone|freeze|asReadOnly|AsReadOnly)$/,
);

const COPY_FUNCTIONS = new NameTest(
  /^(dict|copy|deepcopy|structuredClone|array_merge|array_replace|assign|copyOf|clone|new:(Linked|Tree|Concurrent)?(HashMap|Dictionary|Map|Hashtable))$/,
);

/** A copy of a record, or several records in one; null: the call makes none. */
export function copiedRecord({ node, callee, receiver, args }: EvaluatedCall, values: readonly Value[]): Value | null {
  const name = (callee.names[0] ?? '').replace(/^.*\./, '');
  const isMethod =
    receiver?.fields != null && !receiver.isDeclared && node.callee.op === 'member' && COPY_METHODS.test(name);
  if (!isMethod && !COPY_FUNCTIONS.test(name)) return null;
  const parts = [
    ...(isMethod ? [receiver] : []),
    ...values.filter((value) => !(value.fields?.size === 0 && values.length > 1)),
  ];
  const [first] = parts;
  const isMixed = parts.length > 1 && parts.some((part) => part.fields !== null);
  if (first === undefined || (first.fields === null && !isMixed)) return null;
  let fields = new Map(first.fields);
  const named = args
    .filter((argument) => argument.name !== null)
    .map((argument) => [argument.name!, argument.value] as const);
  // Of what has no known fields, each field may come from anywhere in it.
  for (const part of parts) {
    const isOpen = part.fields === null && (isTainted(part) || part.unfollowed !== null);
    if (isOpen && !named.some(([, value]) => value === part)) fields = withAnyField(fields, part);
    if (part !== first) for (const [key, value] of part.fields ?? []) fields.set(key, value);
  }
  for (const [key, value] of named) fields.set(key, value);
  const taint = mergeTaints([...parts.map((part) => part.taint), ...named.map(([, value]) => value.taint)]);
  return withIdentity({ ...first, names: [], fields, taint: first.instanceOf === null ? taint : first.taint });
}

/** `Map.of("a", x, "b", y)`, `Map.ofEntries(Map.entry("a", x))` */
export function madeRecord({ callee }: EvaluatedCall, values: readonly Value[]): Value | null {
  const name = /(?:^|\.)(?:Immutable)?(?:Sorted)?Map\.(of|entry|ofEntries)$/.exec(callee.names[0] ?? '')?.[1];
  if (name === undefined) return null;
  if (name === 'ofEntries') {
    return withIdentity(recordValue(values.flatMap(({ fields }) => [...(fields ?? [])])));
  }
  const pairs: [string, Value][] = [];
  for (let at = 0; at + 1 < values.length; at += 2) pairs.push([keyOf(values[at]!), values[at + 1]!]);
  return withIdentity(recordValue(pairs));
}

/** `Object.values(table)` and its kin: the list of what is known of a record or class; null: it is another call, or nothing is known. */
export function partsOfRecord(qualifiedName: string, [record]: readonly Value[]): Value | null {
  const part = /^Object\.(keys|values|entries)$/.exec(qualifiedName)?.[1];
  if (part === undefined || record == null) return null;
  // Of a list the values are its elements.
  if (record.fields === null)
    return isTainted(record) || record.elements !== null ? null : { ...UNKNOWN, unfollowed: record.unfollowed };
  return partsOfFields(record, part as 'keys' | 'values' | 'entries');
}

/** `new Map([[key, value], ...])`, `Object.fromEntries(...)`: the record of pairs that are written there; null: they are not known. */
export function recordOfPairs(name: string, pairs: Value | undefined): Value | null {
  if (!/(?:^new:(?:Map|WeakMap|ReadonlyMap)|^Object\.fromEntries)$/.test(name) || pairs?.elements == null) return null;
  const entries: (readonly [string | null, Value, Value])[] = [];
  for (const { elements } of pairs.elements) {
    const [key, value] = elements ?? [];
    if (key === undefined || value === undefined) return null;
    entries.push([typeof key.constant === 'string' ? key.constant : null, value, key]);
  }
  if (entries.length === 0) return null;
  return withIdentity({ ...recordValue(entries), typeName: name.startsWith('new:') ? 'Map' : null });
}
