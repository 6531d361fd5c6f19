import { ApiError } from '../errors.ts';
import { OPERATIONS } from '../operations/list.ts';
import type { Operation, OperationInput } from '../engine/operation.ts';
import { parseInput } from '../engine/input/parse-input.ts';
import { runOperation, type RunnerDeps } from '../engine/runner.ts';
import { convertTextInput } from '../engine/input/text-input.ts';
import { CliError } from '../exit-codes.ts';
import { loadConfig } from './load-config.ts';
import { snakeToKebabCase } from './add-operation-name.ts';
import { positionalFields } from './operation-arguments.ts';
import { printOutput } from './output.ts';
import type { PrintOptions } from './print-options.ts';
import { withRunnerDeps } from './with-runner-deps.ts';

/** Runs an operation in this process on the data folder of this installation, and prints the answer. Throws `CliError`, `ApiError`. */
export async function runAndPrint(
  operation: Operation,
  rawInput: Record<string, unknown>,
  options: PrintOptions,
): Promise<void> {
  const config = loadConfig();
  const input = parseCommandInput(operation, rawInput, await viewInputOf(operation, options));
  const answer = await withRunnerDeps(config, (runnerDeps) => runHere(operation, input, runnerDeps));
  await printAnswer(operation, answer, input, options);
}

/** Runs an operation in this process. Throws `ApiError`. */
export function runHere(
  operation: Operation,
  input: OperationInput,
  runnerDeps: RunnerDeps,
): Promise<Record<string, unknown>> {
  return runOperation(operation, input, runnerDeps, { disconnectSignal: () => new AbortController().signal });
}

/** Prints the answer of an operation. For programs, what people need is not even loaded. */
export async function printAnswer(
  operation: Operation,
  answer: Record<string, unknown>,
  input: OperationInput,
  { json, all }: PrintOptions,
): Promise<void> {
  if (json) return printOutput(true, answer, () => []);
  const { screenLines } = await import('./screen-lines.ts');
  printOutput(false, answer, (width) => screenLines(operation, answer, input, { width, all, now: new Date() }));
}

/** Input that the view of an operation needs; empty where no view is shown. */
export async function viewInputOf({ id }: Operation, { json, all }: PrintOptions): Promise<OperationInput> {
  if (json || all) return {};
  const { viewInput } = await import('./screen-lines.ts');
  return viewInput(id);
}

/** The input of a command, checked. Throws `CliError` (usage), `ApiError`. */
function parseCommandInput(operation: Operation, rawInput: Record<string, unknown>, viewInput: OperationInput) {
  try {
    return parseInput(operation, { ...viewInput, ...convertTextInput(operation.input, rawInput) }, OPERATIONS);
  } catch (error) {
    throw error instanceof ApiError && error.issues !== null
      ? new CliError('usage', validationIssuesText(operation, error))
      : error;
  }
}

/** The first issues, with fields named as arguments and options. */
function validationIssuesText(operation: Operation, apiError: ApiError): string {
  const positionals = positionalFields(operation);
  const lines = (apiError.issues ?? []).map(({ loc: [, field, ...rest], msg }) => {
    const name = snakeToKebabCase(String(field ?? 'input'));
    const shown = positionals.includes(String(field)) ? name : `--${name}`;
    return `${[shown, ...rest].join('.')}: ${msg}`;
  });
  return lines.slice(0, 2).join('\n');
}
