import { z } from 'zod';
import type { Operation } from '../engine/operation.ts';
import { pathParametersOf } from '../engine/route.ts';
import { snakeToKebabCase } from './add-operation-name.ts';

/** One input field of an operation, as the command line takes it. */
export interface CommandInput {
  /** Field of the operation's input. */
  field: string;
  required: boolean;
  type: 'boolean' | 'array' | 'number' | 'text';
  choices: string[];
  description: string;
  default: DefaultValue | undefined;
}

type DefaultValue = string | number | boolean;

interface PropertySchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  $ref?: string;
  description?: string;
  default?: DefaultValue;
}

/** Optional fields that say what is asked: words to search for, packages to check. */
const SUBJECT_FIELDS: ReadonlySet<string> = new Set(['q', 'keyword', 'query', 'packages']);

/** Fields that are positional arguments: the path parameters, else the first required field, else what is searched for. */
export function positionalFields(operation: Operation): string[] {
  const pathNames = pathParametersOf(operation);
  if (pathNames.length > 0) return pathNames;
  const inputs = commandInputs(operation);
  const first = inputs.find(({ required }) => required) ?? inputs.find(({ field }) => SUBJECT_FIELDS.has(field));
  return first === undefined ? [] : [first.field];
}

/** All input fields of an operation. */
export function commandInputs(operation: Operation): CommandInput[] {
  const schema = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, PropertySchema>;
    required?: string[];
    $defs?: Record<string, PropertySchema>;
  };
  return Object.entries(schema.properties ?? {}).map(([field, property]) => {
    const resolved =
      property.$ref === undefined ? property : { ...schema.$defs?.[property.$ref.split('/').at(-1)!], ...property };
    return {
      field,
      required: schema.required?.includes(field) ?? false,
      type: inputType(resolved),
      choices: [resolved.const, ...(resolved.enum ?? [])].filter((choice) => typeof choice === 'string'),
      description: resolved.description ?? '',
      default: resolved.default,
    };
  });
}

function inputType({ type }: PropertySchema): CommandInput['type'] {
  if (type === 'boolean' || type === 'array') return type;
  return type === 'number' || type === 'integer' ? 'number' : 'text';
}

/** The shell command that runs an operation with an input. */
export function toShellCommand(operation: Operation, input: Record<string, unknown>): string {
  return ['sextant', ...toProgramArguments(operation, input)].map(shellQuoted).join(' ');
}

/** The same as an argument vector. */
export function toProgramArguments(operation: Operation, input: Record<string, unknown>): string[] {
  const positionals = positionalFields(operation);
  const defaults = new Map(commandInputs(operation).map((input) => [input.field, input.default]));
  const options = Object.entries(input).filter(
    ([field, value]) => !positionals.includes(field) && value !== defaults.get(field),
  );
  return [
    snakeToKebabCase(operation.id),
    ...positionals.flatMap((field) => {
      const value = input[field];
      if (value === undefined) return [];
      return Array.isArray(value) ? value.map(argumentText) : [argumentText(value)];
    }),
    ...options.flatMap(([field, value]) => optionArguments(snakeToKebabCase(field), value)),
  ];
}

function optionArguments(name: string, value: unknown): string[] {
  if (value === true) return [`--${name}`];
  if (value === false) return [`--no-${name}`];
  return [`--${name}`, argumentText(value)];
}

function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Lists of scalars comma-separated; anything with objects as JSON. */
function argumentText(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(',');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
