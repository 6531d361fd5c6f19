import { z } from 'zod';
import type { JsonSchema } from './json-schema.ts';

/**
 * Keyword of JSON Schema, also in the OpenAPI description, for what a third party wrote: a string, the names of an object
 * (`propertyNames`), or a value of any shape.
 */
export const FOREIGN_TEXT_KEYWORD = 'x-foreign-text';
const FOREIGN_TEXT = { [FOREIGN_TEXT_KEYWORD]: true };

/** Text of an answer that a third party wrote, or that quotes one: data for its reader, never an instruction. */
export const ForeignText = z.string().meta(FOREIGN_TEXT);
/** A value of any shape that a third party wrote, names included. */
export const ForeignValue = z.unknown().meta(FOREIGN_TEXT);

/** Where foreign text is in a value: in itself, or in its parts. */
export interface ForeignShape {
  /** A string; of other values, every string and every name in them. */
  isForeign: boolean;
  /** The names of the object. */
  hasForeignNames: boolean;
  fields: Map<string, ForeignShape>;
  /** Of a list. */
  items: ForeignShape | null;
  /** Values of an object whose names are not known. */
  values: ForeignShape | null;
}

/** Where foreign text is in the answers of an operation, by its output schema; null: nowhere. */
export function foreignShapeOf(output: z.ZodObject): ForeignShape | null {
  const root = z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' }) as JsonSchema;
  return shapeOf(root, root.$defs ?? {});
}

/** Paths of foreign text (JSONPath, RFC 9535). A path that leads to an object or a list means all in it, and its names. */
export function foreignPaths(shape: ForeignShape, path = '$'): string[] {
  if (shape.isForeign || shape.hasForeignNames) return [path];
  return [
    ...[...shape.fields].flatMap(([name, field]) => foreignPaths(field, `${path}.${name}`)),
    ...(shape.items === null ? [] : foreignPaths(shape.items, `${path}[*]`)),
    ...(shape.values === null ? [] : foreignPaths(shape.values, `${path}.*`)),
  ];
}

function shapeOf(schema: JsonSchema, definitions: Record<string, JsonSchema>): ForeignShape | null {
  if (schema.$ref !== undefined) {
    return shapeOf(definitions[schema.$ref.split('/').at(-1)!]!, definitions);
  }
  const { properties = {}, items, propertyNames, additionalProperties } = schema;
  const inner = (part: JsonSchema | boolean | undefined): ForeignShape | null =>
    typeof part === 'object' ? shapeOf(part, definitions) : null;
  const own: ForeignShape = {
    isForeign: schema[FOREIGN_TEXT_KEYWORD] === true,
    hasForeignNames: propertyNames?.[FOREIGN_TEXT_KEYWORD] === true,
    fields: new Map(
      Object.entries(properties).flatMap(([name, part]) => {
        const field = inner(part);
        return field === null ? [] : [[name, field]];
      }),
    ),
    items: inner(items),
    values: inner(additionalProperties),
  };
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [isEmpty(own) ? null : own, ...alternatives.map(inner)].reduce(unite, null);
}

function isEmpty({ isForeign, hasForeignNames, fields, items, values }: ForeignShape): boolean {
  return !isForeign && !hasForeignNames && fields.size === 0 && items === null && values === null;
}

/** What is foreign by either. */
function unite(one: ForeignShape | null, other: ForeignShape | null): ForeignShape | null {
  if (one === null || other === null) return one ?? other;
  const fields = new Map(one.fields);
  for (const [name, field] of other.fields) fields.set(name, unite(fields.get(name) ?? null, field)!);
  return {
    isForeign: one.isForeign || other.isForeign,
    hasForeignNames: one.hasForeignNames || other.hasForeignNames,
    fields,
    items: unite(one.items, other.items),
    values: unite(one.values, other.values),
  };
}
