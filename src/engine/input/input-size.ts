import { z } from 'zod';
import type { ValidationIssue } from '../../errors.ts';
import type { Operation } from '../operation.ts';
import { type InputLocation, locationOf } from '../route.ts';

/** More fields than any operation has, unknown ones included. */
const MAX_FIELDS = 100;
/** JSON values in one field, itself included: far more than a valid one has, and few enough to check in milliseconds. */
const MAX_VALUES = 10_000;

/** What is given in one place is too much to look at its names; null where it is not. */
export function checkFieldCount(location: InputLocation, given: Record<string, unknown>): ValidationIssue | null {
  const count = Object.keys(given).length;
  if (count <= MAX_FIELDS) return null;
  return { loc: [location], msg: `${count} fields are too many: at most ${MAX_FIELDS} are read`, type: 'too_big' };
}

/** The first field that holds more than its schema should have to look at; null where no field does. */
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

/** A field for a document of others (an SBOM), which its schema does not look into. */
function acceptsAnyJson(schema: z.ZodType): boolean {
  let known = acceptsAnyJsonCache.get(schema);
  if (known === undefined) {
    known = containsUnknownSchema(schema);
    acceptsAnyJsonCache.set(schema, known);
  }
  return known;
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
