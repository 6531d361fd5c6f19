import { z } from 'zod';
import type { JsonSchema } from './json-schema.ts';

/** One field of an input or an answer, in words for a reader. */
export interface DescribedField {
  readonly name: string;
  /** `text`, `whole number or null`, `list of texts`, `object`. */
  readonly type: string;
  readonly required: boolean;
  readonly description: string | null;
  /** `1 to 200`, `at most 40 characters`; null: none. */
  readonly limits: string | null;
  readonly choices: readonly string[];
  /** As JSON; null: none. */
  readonly defaultValue: string | null;
  /** Of objects, and of the objects in a list. */
  readonly fields: readonly DescribedField[];
}

const MAX_DEPTH = 6;
const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
};

/** The fields of an object schema, as a caller sends (`input`) or gets them (`output`). */
export function describeFields(type: z.ZodObject, io: 'input' | 'output'): DescribedField[] {
  const schema = z.toJSONSchema(type, { io, unrepresentable: 'any' }) as JsonSchema;
  // A schema with a name of its own is a reference to its definition.
  return fieldsOf(resolve(schema, schema), schema, 0);
}

function fieldsOf(schema: JsonSchema, root: JsonSchema, depth: number): DescribedField[] {
  if (depth > MAX_DEPTH) return [];
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const resolved = resolve(property, root);
    const [inner, isNullable] = withoutNull(resolved, root);
    const item = inner.items === undefined ? null : withoutNull(resolve(inner.items, root), root)[0];
    return {
      name,
      type: `${typeText(inner, item)}${isNullable ? ' or null' : ''}`,
      required: schema.required?.includes(name) ?? false,
      description: property.description ?? resolved.description ?? inner.description ?? null,
      limits: limitsText(inner),
      choices: (inner.enum ?? item?.enum ?? (inner.const === undefined ? [] : [inner.const])).map(String),
      defaultValue: resolved.default === undefined ? null : JSON.stringify(resolved.default),
      fields: fieldsOf(item ?? inner, root, depth + 1),
    };
  });
}

function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema;
  return { ...root.$defs?.[schema.$ref.split('/').at(-1)!], ...schema };
}

function withoutNull(schema: JsonSchema, root: JsonSchema): [JsonSchema, boolean] {
  if (typeof schema.type === 'object') {
    const types = schema.type.filter((type) => type !== 'null');
    return [{ ...schema, type: types.length === 1 ? types[0]! : types }, types.length < schema.type.length];
  }
  const others = schema.anyOf?.filter(({ type }) => type !== 'null');
  if (others?.length !== 1 || others.length === schema.anyOf?.length) return [schema, false];
  return [resolve(others[0]!, root), true];
}

function typeText(schema: JsonSchema, item: JsonSchema | null): string {
  if (item !== null) {
    const each = typeText(item, null);
    return each === 'any value' ? 'list' : `list of ${each}${each === 'text' || each === 'object' ? 's' : ''}`;
  }
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map((one) => typeText(one, null)))].join(' or ');
  if (typeof schema.type === 'object') return schema.type.map((type) => TYPE_WORDS[type] ?? 'any value').join(' or ');
  if (schema.type === 'array') return 'list';
  return TYPE_WORDS[schema.type ?? typeof (schema.const ?? schema.enum?.[0])] ?? 'any value';
}

function limitsText(schema: JsonSchema): string | null {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  return (
    rangeText(minimum, maximum, '') ??
    rangeText(minItems, maxItems, ' items') ??
    rangeText(minLength === 1 ? undefined : minLength, maxLength, ' characters')
  );
}

function rangeText(from: number | undefined, to: number | undefined, unit: string): string | null {
  const low = from === undefined || from <= Number.MIN_SAFE_INTEGER ? null : from;
  const high = to === undefined || to >= Number.MAX_SAFE_INTEGER ? null : to;
  if (low === null && high === null) return null;
  if (high === null) return `at least ${low}${unit}`;
  return low === null ? `at most ${high}${unit}` : `${low} to ${high}${unit}`;
}
