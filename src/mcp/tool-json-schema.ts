import { z } from 'zod';
import { isJsonObject } from '../analysis/bounded-json.ts';
import { FOREIGN_TEXT_KEYWORD } from '../engine/foreign-text.ts';

export type JsonSchema = { [key: string]: unknown };

/** A short JSON Schema for an operation's input: models read all of them before each question. */
export function inputJsonSchema(input: z.ZodObject): JsonSchema {
  const { $defs = {}, ...root } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return simplifySchema(root, $defs as JsonSchema, { annotate: true });
}

/**
 * A schema that every answer satisfies, in about `budget` bytes. Over the budget, the deepest objects first lose their optional
 * properties, then everything but their type. Properties in `typeOnly` always have only their type. Additional properties are allowed,
 * so that new fields do not break clients that cached the schema.
 */
export function outputJsonSchema(output: z.ZodObject, budget: number, typeOnly: ReadonlySet<string>): JsonSchema {
  const { $defs = {}, ...root } = z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' }) as JsonSchema;
  const simplified = simplifySchema(root, $defs as JsonSchema, { annotate: false });
  for (const [name, part] of Object.entries(propertiesOf(simplified))) if (typeOnly.has(name)) reduceToType(part);
  while (JSON.stringify(simplified).length > budget) {
    const part = deepestObject(simplified);
    if (dropOptionalProperties(part ?? simplified)) continue;
    if (part === null) break;
    reduceToType(part);
  }
  return simplified;
}

const SAFE_INTEGER = Number.MAX_SAFE_INTEGER;
/** Covered by the operation's example, checked here, or said in each answer; of no use to a model. */
const DROPPED_KEYWORDS: ReadonlySet<string> = new Set([
  ...'$schema $defs id examples propertyNames format pattern minLength maxLength'.split(' '),
  FOREIGN_TEXT_KEYWORD,
]);
const INPUT_ONLY_KEYWORDS: ReadonlySet<string> = new Set(
  'description additionalProperties default minItems maxItems'.split(' '),
);

function simplifySchema(schema: JsonSchema, definitions: JsonSchema, options: { annotate: boolean }): JsonSchema {
  if (typeof schema['$ref'] === 'string') {
    const { $ref, ...siblings } = schema;
    const part = definitions[$ref.slice('#/$defs/'.length)];
    return simplifySchema({ ...(part as JsonSchema), ...siblings }, definitions, options);
  }
  const nullable = nonNullAlternative(schema);
  if (nullable !== null) return makeNullable(simplifySchema(nullable, definitions, options));
  const simplified: JsonSchema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (DROPPED_KEYWORDS.has(key) || (!options.annotate && INPUT_ONLY_KEYWORDS.has(key))) continue;
    if ((key === 'minimum' || key === 'maximum') && Math.abs(value as number) === SAFE_INTEGER) continue;
    if (key === 'properties') {
      const inner = Object.entries(value as Record<string, JsonSchema>);
      simplified[key] = Object.fromEntries(
        inner.map(([name, part]) => [name, simplifySchema(part, definitions, options)]),
      );
    } else if (key === 'items' || (key === 'additionalProperties' && isJsonObject(value)))
      simplified[key] = simplifySchema(value as JsonSchema, definitions, options);
    else if (Array.isArray(value) && value.every(isJsonObject))
      simplified[key] = value.map((part) => simplifySchema(part, definitions, options));
    else simplified[key] = value;
  }
  return simplified;
}

/** The other alternative of a schema that is `anyOf` of something and null; else null. */
function nonNullAlternative(schema: JsonSchema): JsonSchema | null {
  const { anyOf, ...siblings } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return null;
  const other = anyOf.filter((part: JsonSchema) => part['type'] !== 'null');
  return other.length === 1 ? { ...other[0], ...siblings } : null;
}

function makeNullable(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}

function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  return (schema['properties'] ?? {}) as Record<string, JsonSchema>;
}

/** Removes everything but the type, and the type of list items. */
function reduceToType(part: JsonSchema): void {
  for (const key of Object.keys(part)) if (key !== 'type' && key !== 'items') delete part[key];
  if (isJsonObject(part['items'])) reduceToType(part['items']);
}

/** Returns false if there was nothing to drop. */
function dropOptionalProperties(part: JsonSchema): boolean {
  const required = new Set(part['required'] as string[] | undefined);
  const properties = propertiesOf(part);
  const optional = Object.keys(properties).filter((name) => !required.has(name));
  for (const name of optional) delete properties[name];
  return optional.length > 0;
}

/** The deepest object below the root that still has properties, or null. Of several, the one with the longest schema. */
function deepestObject(root: JsonSchema): JsonSchema | null {
  let deepest: { part: JsonSchema; depth: number; length: number } | null = null;
  const visit = (part: JsonSchema, depth: number): void => {
    if (depth > 0 && 'properties' in part) {
      const length = JSON.stringify(part).length;
      if (deepest === null || depth > deepest.depth || (depth === deepest.depth && length > deepest.length))
        deepest = { part, depth, length };
    }
    for (const inner of Object.values(propertiesOf(part))) visit(inner, depth + 1);
    if (isJsonObject(part['items'])) visit(part['items'], depth);
    for (const inner of (part['anyOf'] ?? []) as JsonSchema[]) visit(inner, depth);
  };
  visit(root, 0);
  return (deepest as { part: JsonSchema } | null)?.part ?? null;
}
