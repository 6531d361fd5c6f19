import { z } from 'zod';
import type { Fault } from '../../errors.ts';
import type { Operation } from '../operation.ts';
import { type Location, locationOf } from '../route.ts';

/** More fields than any operation has, unknown ones included. */
const MAX_FIELDS = 100;
/** JSON values in one field, itself included: far more than a valid one has, and few enough to check in milliseconds. */
const MAX_VALUES = 10_000;

/** What is given in one place is too much to look at its names; null where it is not. */
export function tooManyFields(location: Location, given: Record<string, unknown>): Fault | null {
  const count = Object.keys(given).length;
  if (count <= MAX_FIELDS) return null;
  return { loc: [location], msg: `${count} fields are too many: at most ${MAX_FIELDS} are read`, type: 'too_big' };
}

/** The first field that holds more than its schema should have to look at; null where no field does. */
export function tooManyValues(operation: Operation, raw: Record<string, unknown>): Fault | null {
  for (const [field, value] of Object.entries(raw)) {
    const schema = Object.hasOwn(operation.input.shape, field) ? operation.input.shape[field] : undefined;
    if (schema === undefined || takesAnyJson(schema as z.ZodType) || !holdsMoreThan(value, MAX_VALUES)) continue;
    const msg = `more than ${MAX_VALUES} values are too many to read`;
    return { loc: [locationOf(operation, field), field], msg, type: 'too_big' };
  }
  return null;
}

const anyJson = new WeakMap<z.ZodType, boolean>();

/** A field for a document of others (an SBOM), which its schema does not look into. */
function takesAnyJson(schema: z.ZodType): boolean {
  let known = anyJson.get(schema);
  if (known === undefined) {
    known = holdsUnknown(schema);
    anyJson.set(schema, known);
  }
  return known;
}

function holdsUnknown(schema: unknown): boolean {
  if (schema instanceof z.ZodUnknown) return true;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return holdsUnknown(schema.unwrap());
  if (schema instanceof z.ZodUnion) return schema.options.some(holdsUnknown);
  return schema instanceof z.ZodRecord && holdsUnknown(schema.valueType);
}

function holdsMoreThan(value: unknown, limit: number): boolean {
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
