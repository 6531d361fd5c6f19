import type { ClientDocument } from '../../scripts/client/client-source.ts';
import type { JsonSchema } from '../../src/engine/json-schema.ts';

/** Fields of the described answers, as `Schema.field.field`, that no answer has, although it has the object that they are described in. */
export function fieldsNeverSeen(
  { paths, components: { schemas } }: ClientDocument,
  answers: readonly { id: string; answer: unknown }[],
): string[] {
  const described = new Set<string>();
  const seen = new Set<string>();
  const seenObjects = new Set<string>();
  const roots = new Map(
    Object.values(paths).flatMap((methods) =>
      Object.values(methods)
        // Feeds have another form.
        .filter(({ responses }) => 'application/json' in responses[200].content)
        .map(({ operationId, responses }) => [operationId, responses[200].content['application/json'].schema]),
    ),
  );
  const named = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

  function describe(schema: JsonSchema, at: string): void {
    if (schema.$ref !== undefined) {
      const name = named(schema.$ref);
      // Once for each schema, which may refer to itself.
      if (described.has(name)) return;
      described.add(name);
      return describe(schemas[name]!, name);
    }
    for (const [field, inner] of Object.entries(schema.properties ?? {})) {
      described.add(`${at}.${field}`);
      describe(inner, `${at}.${field}`);
    }
    for (const inner of [...(schema.anyOf ?? []), ...partsOf(schema)]) describe(inner, at);
  }

  function see(schema: JsonSchema, at: string, value: unknown): void {
    if (schema.$ref !== undefined) {
      const name = named(schema.$ref);
      seen.add(name);
      return see(schemas[name]!, name, value);
    }
    for (const one of schema.anyOf ?? []) see(one, at, value);
    if (typeof value !== 'object' || value === null) return;
    if (schema.properties !== undefined) seenObjects.add(at);
    for (const [field, inner] of Object.entries(schema.properties ?? {})) {
      const found = (value as Record<string, unknown>)[field];
      if (found === undefined) continue;
      seen.add(`${at}.${field}`);
      see(inner, `${at}.${field}`, found);
    }
    for (const part of partsOf(schema)) for (const one of Object.values(value)) see(part, at, one);
  }

  for (const [id, schema] of roots) describe(schema, id);
  for (const { id, answer } of answers) see(roots.get(id)!, id, answer);
  return [...described].filter((field) => !seen.has(field) && seenObjects.has(field.slice(0, field.lastIndexOf('.'))));
}

/** Schemas of the items of a list, and of the values of a record. */
function partsOf({ items, additionalProperties }: JsonSchema): JsonSchema[] {
  return [items, additionalProperties].filter((part) => typeof part === 'object') as JsonSchema[];
}
