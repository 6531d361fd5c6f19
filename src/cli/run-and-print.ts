import { styleText } from 'node:util';
import { ApiError } from '../errors.ts';
import { OPERATIONS } from '../operations/list.ts';
import type { Operation } from '../engine/operation.ts';
import { parseInput } from '../engine/input/parse-input.ts';
import { runOperation } from '../engine/runner.ts';
import { convertTextInput } from '../engine/input/text-input.ts';
import { answerLines } from './answer-view.ts';
import { CliError } from '../exit-codes.ts';
import { loadConfig } from './load-config.ts';
import { snakeToKebabCase } from './add-operation-name.ts';
import { positionalFields } from './operation-arguments.ts';
import { printOutput } from './output.ts';
import { withRunnerDeps } from './with-runner-deps.ts';

/** Runs an operation in this process on the data folder of this installation, and prints the answer. Throws `CliError`, `ApiError`. */
export async function runAndPrint(
  operation: Operation,
  rawInput: Record<string, unknown>,
  json: boolean,
): Promise<void> {
  const config = loadConfig();
  const input = parseCommandInput(operation, rawInput);
  const answer = await withRunnerDeps(config, (runnerDeps) =>
    runOperation(operation, input, runnerDeps, { disconnectSignal: () => new AbortController().signal }),
  );
  printOutput(json, answer, (width) => screenLines(operation, answer, input, width));
}

/** The answer for people: the fields that its operation chose for a screen, or all. */
export function screenLines(
  operation: Operation,
  answer: Record<string, unknown>,
  input: Record<string, unknown>,
  width: number,
): string[] {
  const screen = operation.screen?.(answer, input) ?? null;
  if (screen === null) return answerLines(answer, OPERATIONS, width);
  const { summary, verdict, next_calls } = answer;
  return [
    ...answerLines({ summary, ...screen, verdict, next_calls }, OPERATIONS, width),
    styleText('dim', 'The main facts; all of them: --json'),
  ];
}

function parseCommandInput(operation: Operation, rawInput: Record<string, unknown>): Record<string, unknown> {
  try {
    return parseInput(operation, convertTextInput(operation.input, rawInput), OPERATIONS);
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
