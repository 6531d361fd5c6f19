import { type Command, Option } from 'commander';
import type { Operation } from '../engine/operation.ts';
import { addOperationName, snakeToKebabCase } from './add-operation-name.ts';
import { toShellCommand, type CommandInput, commandInputs, positionalFields } from './operation-arguments.ts';
import { createJsonOption } from './json-option.ts';
import { createAllOption, type PrintOptions, printOptionsOf } from './print-options.ts';

/** Input from the command line, not checked yet: texts, lists of texts, flags. */
export type RawInput = Record<string, unknown>;

/** Adds the command of an operation with its arguments, options and examples, derived from its definition. */
export function addOperationCommand(
  parent: Command,
  operation: Operation,
  run: (rawInput: RawInput, options: PrintOptions) => Promise<void>,
): void {
  const positionals = positionalFields(operation);
  const inputs = commandInputs(operation);
  const command = addOperationName(parent, operation).addOption(createAllOption()).addOption(createJsonOption());
  for (const field of positionals) {
    const input = inputs.find((input) => input.field === field)!;
    command.argument(argumentSyntax(input), input.description);
  }
  const options = inputs.filter(({ field }) => !positionals.includes(field));
  const fieldByAttribute = new Map(
    options.flatMap((input) => createOptions(input).map((option) => [option.attributeName(), input.field])),
  );
  for (const option of options.flatMap(createOptions)) command.addOption(option);
  command.addHelpText('after', examplesText(operation));
  command.action(async (...received: unknown[]) => {
    const given: RawInput = {};
    for (const [index, field] of positionals.entries()) {
      const value = positionalValue(inputs.find((input) => input.field === field)!, received[index]);
      if (value !== undefined) given[field] = value;
    }
    for (const [attribute, value] of Object.entries(command.opts())) {
      const field = fieldByAttribute.get(attribute);
      if (field !== undefined) given[field] = splitListValue(value);
    }
    await run(given, printOptionsOf(command));
  });
}

/** What need not be given may be several words. */
function argumentSyntax({ field, type, required }: CommandInput): string {
  const name = snakeToKebabCase(field);
  if (!required) return `[${name}...]`;
  return `<${name}${type === 'array' ? '...' : ''}>`;
}

function positionalValue({ type, required }: CommandInput, value: unknown): unknown {
  if (required) return splitListValue(value);
  const words = value as string[];
  if (words.length === 0) return undefined;
  return type === 'array' ? splitListValue(words) : words.join(' ');
}

function createOptions(input: CommandInput): Option[] {
  const name = snakeToKebabCase(input.field);
  if (input.type === 'boolean') {
    const flag = new Option(`--${name}`, input.description);
    const negatedFlag = new Option(`--no-${name}`, input.description);
    return input.default === true ? [negatedFlag] : input.default === false ? [flag] : [flag, negatedFlag];
  }
  const placeholder = input.choices.length > 0 ? input.choices.join('|') : input.type === 'array' ? 'list' : input.type;
  const defaultNote = input.default === undefined ? '' : ` (default: ${input.default})`;
  const option = new Option(`--${name} <${placeholder}>`, `${input.description}${defaultNote}`.trim());
  if (input.type === 'array') option.argParser((one, before: string[] | undefined) => [...(before ?? []), one]);
  return [option.makeOptionMandatory(input.required)];
}

/** Values of a list may be separate words or comma-separated. */
function splitListValue(value: unknown): unknown {
  return Array.isArray(value)
    ? value
        .flatMap((word) => String(word).split(','))
        .map((word) => word.trim())
        .filter((word) => word !== '')
    : value;
}

function examplesText(operation: Operation): string {
  const lines = operation.examples.map(({ title, input }) => `  ${toShellCommand(operation, input)}\n    ${title}`);
  return lines.length === 0 ? '' : `\nExamples:\n${lines.join('\n')}`;
}
