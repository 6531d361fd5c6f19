import { z } from 'zod';
import { ApiError } from '../errors.ts';
import { asksOutside, type Operation } from './operation.ts';
import { parseInput } from './input/parse-input.ts';
import { pathParametersOf } from './route.ts';

/**
 * Checks that each definition is consistent and that they do not collide. Throws an Error that names the operation and says what to
 * fix. What the compiler checks is not checked here.
 */
export function verifyOperations(operations: readonly Operation[]): void {
  const ids = new Map<string, Operation>();
  const routes = new Map<string, Operation>();
  const schemas = new Map<string, { schema: z.core.$ZodType; owner: Operation }>();
  const seen = new Set<z.core.$ZodType>();
  for (const operation of operations) {
    const { id, route, input, output } = operation;
    requireUnique(ids, id, operation, `the id ${id}`);
    if (route !== null) requireUnique(routes, route.replace(/[:*][a-z_0-9]+/g, ':'), operation, `the route ${route}`);
    if ((operation.cacheable || operation.cacheableWhen !== undefined) && asksOutside(operation))
      failFor(operation, 'an answer from outside depends on more than the catalog: it is not cacheable');
    verifyFields(operation);
    verifyExamples(operation);
    for (const schema of [...nestedSchemas(input, seen), ...nestedSchemas(output, seen)]) {
      const name = z.globalRegistry.get(schema)?.id;
      if (name === undefined) continue;
      const other = schemas.get(name);
      if (other !== undefined && other.schema !== schema) {
        failFor(operation, `the schema id ${name} is that of another schema, in ${other.owner.id}: choose another id`);
      }
      schemas.set(name, { schema, owner: operation });
    }
  }
}

function failFor({ id }: Operation, what: string): never {
  throw new Error(`operation ${id}: ${what}`);
}

function requireUnique(taken: Map<string, Operation>, key: string, operation: Operation, what: string): void {
  const other = taken.get(key);
  if (other === operation) failFor(operation, 'it is in the list twice');
  if (other !== undefined) failFor(operation, `${what} is taken by ${other.id} (${other.title})`);
  taken.set(key, operation);
}

function verifyFields(operation: Operation): void {
  const fields = Object.keys(operation.input.shape);
  for (const name of pathParametersOf(operation)) {
    if (!fields.includes(name)) {
      failFor(operation, `:${name} of its route is no field of its input (${fields.join(', ') || 'it has none'})`);
    }
  }
}

function verifyExamples(operation: Operation): void {
  for (const { title, input } of operation.examples) {
    try {
      parseInput(operation, input);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      failFor(operation, `its own input schema rejects the example "${title}": ${thrown.message}`);
    }
  }
}

/** The schema and all that it is made of, each once. */
function* nestedSchemas(schema: z.core.$ZodType, seen: Set<z.core.$ZodType>): Iterable<z.core.$ZodType> {
  if (seen.has(schema)) return;
  seen.add(schema);
  yield schema;
  const def = schema._zod.def as unknown as Record<string, unknown>;
  const { shape, options, items, ...single } = def;
  const inner = [
    ...Object.values(single),
    ...Object.values(shape ?? {}),
    ...arrayOrEmpty(options),
    ...arrayOrEmpty(items),
  ];
  for (const part of inner) if (part instanceof z.core.$ZodType) yield* nestedSchemas(part, seen);
}

function arrayOrEmpty(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
