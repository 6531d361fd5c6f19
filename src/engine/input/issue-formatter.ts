import { z } from 'zod';
import { quoteInput } from './identifiers.ts';

type RawIssue = z.core.$ZodRawIssue;
type Path = readonly PropertyKey[];

/**
 * Messages for the caller: the value, and what is accepted. For schemas without a message of their own; undefined leaves the message
 * of zod.
 */
export function createIssueFormatter(input: z.ZodObject, raw: unknown): (issue: RawIssue) => string | undefined {
  let formattedCount = 0;
  return (issue) => {
    // Of very many issues only the first are shown.
    if (++formattedCount > MAX_FORMATTED_ISSUES) return 'invalid';
    const path = issue.path ?? [];
    const schema = schemaAt(input, path);
    if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')) {
      return `missing${formatFieldHelp(input, path)}`;
    }
    const shownValue = formatValue(valueAt(raw, path) ?? issue.input);
    switch (issue.code) {
      case 'invalid_type': {
        const kind = isInteger(schema) ? 'a whole number' : TYPE_NAMES[issue.expected];
        if (kind === undefined) return undefined;
        const isNumericText = /^"[+-]?\d+"$/.test(shownValue) && kind.endsWith('number');
        return `${shownValue} is ${isNumericText ? 'text, ' : ''}not ${kind}${formatBounds(schema, ': accepted', unitOf(schema))}`;
      }
      case 'invalid_value':
        return issue.values.length === 1
          ? `${shownValue} is not ${String(issue.values[0])}, the only value accepted`
          : `${shownValue} is not one of ${issue.values.map(String).join(', ')}`;
      case 'invalid_format':
        return `${shownValue} has a form that is not accepted${formatFieldHelp(input, path)}`;
      case 'too_big':
      case 'too_small':
        return formatSizeIssue(issue, shownValue, schema);
      default:
        return undefined;
    }
  };
}

const MAX_FORMATTED_ISSUES = 200;

const TYPE_NAMES: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  string: 'a text',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function formatSizeIssue(
  issue: RawIssue & { code: 'too_big' | 'too_small' },
  shownValue: string,
  schema: z.ZodType | undefined,
): string | undefined {
  const big = issue.code === 'too_big';
  const size = typeof issue.input === 'string' || Array.isArray(issue.input) ? issue.input.length : 0;
  const range = formatBounds(schema, 'accepted');
  if (range === '') return undefined;
  switch (issue.origin) {
    case 'number':
    case 'int':
      return `${shownValue} is ${big ? 'over' : 'under'} the limit: ${range}`;
    case 'string':
      return `too ${big ? 'long' : 'short'}: ${size} ${size === 1 ? 'character' : 'characters'}, ${range}`;
    case 'array':
      return `too ${big ? 'many' : 'few'}: ${size} ${size === 1 ? 'item' : 'items'}, ${range}`;
    default:
      return undefined;
  }
}

/** The bounds of a number or of a length, after the text `lead`; empty without bounds. */
function formatBounds(schema: z.ZodType | undefined, lead: string, unit = ''): string {
  const [from, to] = boundsOf(schema);
  if (from === null) return to === null ? '' : `${lead} up to ${to}${unit}`;
  return to === null ? `${lead} from ${from}${unit} on` : `${lead} ${from} to ${to}${unit}`;
}

function boundsOf(schema: z.ZodType | undefined): [from: number | null, to: number | null] {
  if (schema instanceof z.ZodNumber) return [explicitBound(schema.minValue), explicitBound(schema.maxValue)];
  if (schema instanceof z.ZodString) return [schema.minLength, schema.maxLength];
  if (!(schema instanceof z.ZodArray)) return [null, null];
  const checks = (schema.def.checks ?? []).map((check) => check._zod.def as { minimum?: number; maximum?: number });
  return [
    checks.find(({ minimum }) => minimum !== undefined)?.minimum ?? null,
    checks.find(({ maximum }) => maximum !== undefined)?.maximum ?? null,
  ];
}

/** zod gives integers the safe-integer bounds, which are not limits of the schema. */
function explicitBound(bound: number | null): number | null {
  return bound === null || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? null : bound;
}

function unitOf(schema: z.ZodType | undefined): string {
  if (schema instanceof z.ZodString) return ' characters';
  return schema instanceof z.ZodArray ? ' items' : '';
}

function isInteger(schema: z.ZodType | undefined): boolean {
  return schema instanceof z.ZodNumber && schema.isInt;
}

/** Description and example of the field, to follow a message. */
function formatFieldHelp(input: z.ZodObject, path: Path): string {
  const field = input.shape[String(path[0])] as z.ZodType | undefined;
  const { description, examples } = path.length === 1 ? (field?.meta() ?? {}) : {};
  const example = Array.isArray(examples) ? examples[0] : undefined;
  const words = [
    description?.replace(/\.$/, ''),
    example === undefined
      ? undefined
      : `for example ${typeof example === 'string' ? example : JSON.stringify(example)}`,
  ].filter((part) => part !== undefined);
  return words.length === 0 ? '' : `: ${words.join(', ')}`;
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return quoteInput(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

function valueAt(raw: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[part] : undefined,
    raw,
  );
}

function schemaAt(input: z.ZodObject, path: Path): z.ZodType | undefined {
  return path.reduce<z.ZodType | undefined>((schema, part) => {
    if (schema instanceof z.ZodObject) return unwrapSchema(schema.shape[String(part)]);
    return schema instanceof z.ZodArray ? unwrapSchema(schema.element) : undefined;
  }, input);
}

function unwrapSchema(schema: unknown): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return unwrapSchema(schema.unwrap());
  }
  if (schema instanceof z.ZodPipe) return unwrapSchema(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  return schema instanceof z.ZodType ? schema : undefined;
}
