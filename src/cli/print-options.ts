import { type Command, Option } from 'commander';

/** How an answer is printed. */
export interface PrintOptions {
  /** As one JSON document. */
  readonly json: boolean;
  /** For people: every field, not only the main facts. */
  readonly all: boolean;
}

/** `--all`, of the commands that answer questions. */
export function createAllOption(): Option {
  return new Option('--all', 'every field of the answer, not only the main facts');
}

/** What was given of `--json` and `--all`. */
export function printOptionsOf(command: Command): PrintOptions {
  const { json, all } = command.optsWithGlobals();
  return { json: json === true, all: all === true };
}
