import { mergeTaints } from '../taint.ts';
import { mergeValues } from './merge-values.ts';
import { listValue, UNKNOWN_KEY, type Value } from './value.ts';

/** The key or index that a value is; the key of all unknown ones if it is not known. */
export function keyOf({ constant }: Value): string {
  return constant === undefined ? UNKNOWN_KEY : String(constant);
}

/** The object with another value of a field or element. `written`: the key as it is written there. */
export function withField(object: Value, key: string, value: Value, written: Value | null = null): Value {
  const changed = withValue(object, key, value);
  if (key !== UNKNOWN_KEY || written === null) return changed;
  return { ...changed, keys: object.keys === null ? written : mergeValues([object.keys, written]) };
}

function withValue(object: Value, key: string, value: Value): Value {
  if (object.elements !== null && (key === UNKNOWN_KEY || /^\d{1,6}$/.test(key))) {
    const elements = [...object.elements];
    const index = key === UNKNOWN_KEY ? elements.length : Math.min(Number(key), elements.length);
    elements[index] = value;
    const { typeName, names, identity, keys } = object;
    return { ...listValue(elements), typeName, names, identity, keys };
  }
  const fields = new Map(object.fields);
  const before = key === UNKNOWN_KEY ? fields.get(key) : undefined;
  fields.set(key, before === undefined ? value : mergeValues([before, value]));
  // An object or class of this code is as tainted as each of its fields.
  const taint =
    object.instanceOf === null && !object.isDeclared ? mergeTaints([object.taint, value.taint]) : object.taint;
  return { ...object, fields, taint };
}
