import { z } from 'zod';
import type { ValidationIssue } from '../../errors.ts';
import type { Operation } from '../operation.ts';
import { type InputLocation, locationOf } from '../route.ts';

/** More than the fields of any operation, unknown ones included. */
const MAX_FIELDS = 100;
/** JSON values in one field, itself included: far more than valid input has, and few enough to check in milliseconds. */
const MAX_VALUES = 10_000;

/** The issue of too many fields in one location; null if the number is within the limit. */
export function checkFieldCount(location: InputLocation, given: Record<string, unknown>): ValidationIssue | null {
  const count = Object.keys(given).length;
  if (count <= MAX_FIELDS) return null;
  return { loc: [location], msg: `${count} fields are too many: at most ${MAX_FIELDS} are read`, type: 'too_big' };
}

/** The issue of the first field with more values than a schema should check; null without such a field. */
export function checkValueCount(operation: Operation, raw: Record<string, unknown>): ValidationIssue | null {
  for (const [field, value] of Object.entries(raw)) {
    const schema = Object.hasOwn(operation.input.shape, field) ? operation.input.shape[field] : undefined;
    if (schema === undefined || acceptsAnyJson(schema as z.ZodType) || !containsMoreValuesThan(value, MAX_VALUES))
      continue;
    const msg = `more than ${MAX_VALUES} values are too many to read`;
    return { loc: [locationOf(operation, field), field], msg, type: 'too_big' };
  }
  return null;
}

const acceptsAnyJsonCache = new WeakMap<z.ZodType, boolean>();

/** True for a field with a foreign document (an SBOM), which its schema does not check in depth. */
function acceptsAnyJson(schema: z.ZodType): boolean {
  let isOpen = acceptsAnyJsonCache.get(schema);
  if (isOpen === undefined) {
    isOpen = containsUnknownSchema(schema);
    acceptsAnyJsonCache.set(schema, isOpen);
  }
  return isOpen;
}

function containsUnknownSchema(schema: unknown): boolean {
  if (schema instanceof z.ZodUnknown) return true;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return containsUnknownSchema(schema.unwrap());
  if (schema instanceof z.ZodUnion) return schema.options.some(containsUnknownSchema);
  return schema instanceof z.ZodRecord && containsUnknownSchema(schema.valueType);
}

function containsMoreValuesThan(value: unknown, limit: number): boolean {
  const waiting = [value];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined || waiting.length > 0; next = waiting.pop()) {
    count += 1;
    if (typeof next !== 'object' || next === null) continue;
    const inner: unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (count + waiting.length + inner.length > limit) return true;
    for (const one of inner) if (one !== undefined) waiting.push(one);
  }
  return false;
}
