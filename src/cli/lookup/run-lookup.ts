import type { RunnerDeps } from '../../engine/runner.ts';
import { loadConfig } from '../load-config.ts';
import { printOutput, toJsonLine } from '../output.ts';
import type { PrintOptions } from '../print-options.ts';
import { printAnswer } from '../run-and-print.ts';
import type { CvssShown } from '../views/cvss.ts';
import { withRunnerDeps } from '../with-runner-deps.ts';
import { lookUp } from './look-up.ts';
import { countOutcomes, listExitStatus, lookUpMany, type Outcome } from './look-up-many.ts';
import { readThings, type Thing } from './read-things.ts';

export interface LookupPrintOptions extends PrintOptions {
  /** A JSON document a line, for each thing, as soon as it is known. */
  readonly jsonLines: boolean;
}

/** `sextant lookup`. Throws `CliError`, `ApiError`. */
export async function runLookup(words: readonly string[], options: LookupPrintOptions): Promise<void> {
  const config = loadConfig();
  const { things, isList } = await readThings(words, process.stdin);
  const isOne = things.length === 1 && !options.jsonLines && !(isList && options.json);
  await withRunnerDeps(config, (deps) =>
    isOne ? printOne(things[0]!, deps, options) : printMany(things, deps, options),
  );
}

async function printOne(thing: Thing, deps: RunnerDeps, options: PrintOptions): Promise<void> {
  const { operation, input, answer } = await lookUp(thing, deps, { isBrief: false, print: options });
  if (operation !== null) return printAnswer(operation, answer, input, options);
  const { vectorLines } = await import('../screen-lines.ts');
  printOutput(options.json, answer, (width) =>
    vectorLines(answer as unknown as CvssShown, { width, all: options.all }),
  );
}

async function printMany(things: readonly Thing[], deps: RunnerDeps, options: LookupPrintOptions): Promise<void> {
  const { json, jsonLines } = options;
  const outcomes: Outcome[] = [];
  for await (const outcome of lookUpMany(things, deps, { isBrief: true, print: options })) {
    if (jsonLines) process.stdout.write(`${toJsonLine(outcome)}\n`);
    outcomes.push(outcome);
  }
  const counts = countOutcomes(outcomes);
  process.exitCode = listExitStatus(counts);
  if (jsonLines) return;
  if (json) return printOutput(true, { results: outcomes, ...counts }, () => []);
  const { outcomeLines } = await import('./outcomes-view.ts');
  printOutput(false, null, (width) => outcomeLines(outcomes, width, new Date()));
}
