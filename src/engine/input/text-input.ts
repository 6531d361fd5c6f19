import { z } from 'zod';
import { parseBoundedJson } from '../../analysis/bounded-json.ts';

/**
 * Converts text (query strings, path segments, command-line options) where the schema expects a number, boolean, list or object (JSON).
 * Other values, invalid ones too, are left unchanged for the schema to check.
 */
export function convertTextInput(input: z.ZodObject, text: Record<string, unknown>): Record<string, unknown> {
  const converters = convertersOf(input);
  const converted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(text)) {
    converted[name] = typeof value === 'string' ? (converters.get(name)?.(value) ?? value) : value;
  }
  return converted;
}

type Converter = (text: string) => unknown;
const convertersBySchema = new WeakMap<z.ZodObject, ReadonlyMap<string, Converter>>();

function convertersOf(input: z.ZodObject): ReadonlyMap<string, Converter> {
  let converters = convertersBySchema.get(input);
  if (converters === undefined) {
    const found = new Map<string, Converter>();
    for (const [name, schema] of Object.entries(input.shape)) {
      const kind = unwrappedType(schema as z.ZodType);
      if (kind === 'number') found.set(name, toNumber);
      else if (kind === 'boolean') found.set(name, toBoolean);
      else if (kind === 'array') found.set(name, toList);
      else if (kind === 'record' || kind === 'object') found.set(name, toJson);
    }
    converters = found;
    convertersBySchema.set(input, converters);
  }
  return converters;
}

/** Items with commas between them, or JSON. */
function toList(text: string): unknown {
  if (text.trimStart().startsWith('[')) return toJson(text);
  return text === '' ? [] : text.split(',').map((item) => item.trim());
}

function toJson(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch {
    return text;
  }
}

function unwrappedType(schema: z.ZodType): string {
  let inner: z.ZodType = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodNullable) {
    inner = inner.unwrap() as z.ZodType;
  }
  return inner.def.type;
}

function toNumber(text: string): unknown {
  return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** The words that FastAPI accepts, in any case, because clients of such services send them. */
const TRUE_WORDS: ReadonlySet<string> = new Set(['true', '1', 'yes', 'on', 't', 'y']);
const FALSE_WORDS: ReadonlySet<string> = new Set(['false', '0', 'no', 'off', 'f', 'n']);

function toBoolean(text: string): unknown {
  const lower = text.toLowerCase();
  if (TRUE_WORDS.has(lower)) return true;
  return FALSE_WORDS.has(lower) ? false : text;
}
