import type { IrFunction, IrNode } from '../ir/ir.ts';
import type { CompiledRules } from '../rules/compiled-rules.ts';
import type { ContainerCall } from './container-call.ts';
import { NameTest } from './name-test.ts';
import { elementOf, withoutPlace } from './source-values.ts';
import { listValue, literalValue, UNKNOWN, UNKNOWN_KEY, type Value, withIdentity } from './value.ts';

const KEY_METHODS = new NameTest(/^(?:keys|keySet|keyset|Keys|each_key|navigableKeySet|getKeys)$/);
const VALUE_METHODS = new NameTest(/^(?:values|Values|each_value)$/);
const ENTRY_METHODS = new NameTest(/^(?:entrySet|entries|items|each_pair|to_a|ToList|AsEnumerable|stream)$/);

/** A key that the code writes, or an index. */
const WRITTEN_KEY: Value = { ...UNKNOWN };

/** Whether the value is a record whose entries were written by this code. */
export function isRecord({ fields, instanceOf }: Value): boolean {
  return fields !== null && instanceOf === null;
}

/** What is known of the keys of a record or list, as one value: those that are written in the code are harmless. */
export function keyOfRecord(rules: CompiledRules, record: Value, node: IrNode): Value {
  if (record.keys !== null) return { ...withoutPlace(record.keys), names: [] };
  if (record.fields !== null || record.elements !== null || record.instanceOf !== null) return WRITTEN_KEY;
  return elementOf(rules, record, UNKNOWN, node);
}

/** A key with its value: `entry.getKey()`, `pair.Key`, `[key, value]`. */
export function entryOf(rules: CompiledRules, record: Value, node: IrNode): Value {
  const key = keyOfRecord(rules, record, node);
  return pairOf(key, elementOf(rules, record, UNKNOWN, node));
}

function pairOf(key: Value, value: Value): Value {
  const fields = new Map([
    ['key', key],
    ['Key', key],
    ['value', value],
    ['Value', value],
  ]);
  return { ...listValue([key, value]), fields, typeName: 'Entry' };
}

/** The keys, values or pairs of a record, as a list; null: it is no record. */
export function partsOfFields(record: Value, part: 'keys' | 'values' | 'entries'): Value | null {
  if (!isRecord(record)) return null;
  const parts = [...record.fields!].map(([name, value]) => {
    const key = name === UNKNOWN_KEY ? (record.keys ?? UNKNOWN) : literalValue(name);
    return part === 'keys' ? key : part === 'values' ? value : pairOf(key, value);
  });
  return withIdentity(listValue(parts));
}

/** The result of a method that gives the keys, values or pairs of a record; null: another call. */
export function recordPartsResult({ name, receiver, values }: ContainerCall): Value | null {
  if (values.length > 0) return null;
  if (KEY_METHODS.test(name)) return partsOfFields(receiver, 'keys');
  if (VALUE_METHODS.test(name)) return partsOfFields(receiver, 'values');
  return ENTRY_METHODS.test(name) ? partsOfFields(receiver, 'entries') : null;
}

/** What a callback gets of a record: a key and its value, or the pair. */
export function recordArguments(
  rules: CompiledRules,
  record: Value,
  callback: IrFunction,
  isKeyAlone: boolean,
): readonly Value[] {
  if (callback.parameters.length < 2 && !isKeyAlone) return [entryOf(rules, record, callback)];
  const key = keyOfRecord(rules, record, callback);
  if (isKeyAlone) return [key];
  const value = elementOf(rules, record, UNKNOWN, callback);
  // `map.forEach((value, key) => ...)` in JavaScript.
  return /^(?:arrow_function|function)/.test(callback.syntax.type) ? [value, key] : [key, value];
}
