import { z } from 'zod';
import type { Operation } from '../engine/operation.ts';
import { pathNamesOf } from '../engine/route.ts';

/** One input of an operation, as the command line needs to know it. */
export interface Input {
  /** Field of the operation's input. */
  field: string;
  required: boolean;
  type: 'boolean' | 'array' | 'number' | 'text';
  choices: string[];
  description: string;
  default: Default | undefined;
}

type Default = string | number | boolean;

interface InputSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  $ref?: string;
  description?: string;
  default?: Default;
}

/** `cve_lookup` is the command `cve-lookup`, its `cve_id` the argument `cve-id`. */
export function hyphenated(name: string): string {
  return name.replaceAll('_', '-');
}

/** Fields given by their place: those of the path, else the first that must be there. */
export function positionalsOf(operation: Operation): string[] {
  const pathNames = pathNamesOf(operation);
  if (pathNames.length > 0) return pathNames;
  const first = inputsOf(operation).find(({ required }) => required);
  return first === undefined ? [] : [first.field];
}

export function inputsOf(operation: Operation): Input[] {
  const schema = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, InputSchema>;
    required?: string[];
    $defs?: Record<string, InputSchema>;
  };
  return Object.entries(schema.properties ?? {}).map(([field, property]) => {
    const shape =
      property.$ref === undefined ? property : { ...schema.$defs?.[property.$ref.split('/').at(-1)!], ...property };
    return {
      field,
      required: schema.required?.includes(field) ?? false,
      type: typeOf(shape),
      choices: [shape.const, ...(shape.enum ?? [])].filter((choice) => typeof choice === 'string'),
      description: shape.description ?? '',
      default: shape.default,
    };
  });
}

function typeOf({ type }: InputSchema): Input['type'] {
  if (type === 'boolean' || type === 'array') return type;
  return type === 'number' || type === 'integer' ? 'number' : 'text';
}

/** The command that asks an operation with an input, ready for a shell. */
export function commandLine(operation: Operation, input: Record<string, unknown>): string {
  return ['sextant', ...argumentsOf(operation, input)].map(quoted).join(' ');
}

/** The same as an argument vector. */
export function argumentsOf(operation: Operation, input: Record<string, unknown>): string[] {
  const positionals = positionalsOf(operation);
  const defaults = new Map(inputsOf(operation).map((one) => [one.field, one.default]));
  const options = Object.entries(input).filter(
    ([field, value]) => !positionals.includes(field) && value !== defaults.get(field),
  );
  return [
    hyphenated(operation.id),
    ...positionals.flatMap((field) =>
      Array.isArray(input[field]) ? input[field].map(wordOf) : [wordOf(input[field])],
    ),
    ...options.flatMap(([field, value]) => optionWords(hyphenated(field), value)),
  ];
}

function optionWords(name: string, value: unknown): string[] {
  if (value === true) return [`--${name}`];
  if (value === false) return [`--no-${name}`];
  return [`--${name}`, wordOf(value)];
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Lists of plain items with commas between them; whatever holds objects as JSON. */
function wordOf(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(',');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
