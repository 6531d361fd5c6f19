import { mkdirSync } from 'node:fs';
import { throttleOfThisProcess } from '../access/target-throttle.ts';
import { ensureStarter } from '../catalog/starter.ts';
import type { Config } from '../config.ts';
import { Refusal } from '../errors.ts';
import { OPERATIONS } from '../operations/list.ts';
import type { Operation } from '../engine/operation.ts';
import { parseInput } from '../engine/input/parse-input.ts';
import { run, type Services } from '../engine/runner.ts';
import { fromText } from '../engine/input/text-input.ts';
import { catalogFolder, createServices, netOf } from '../server/services.ts';
import { describeSystemError } from '../system-error.ts';
import { answerLines } from './answer-view.ts';
import { sayOnStderr } from './report-failure.ts';
import { CliError } from '../exit.ts';
import { loadConfig } from './load-config.ts';
import { hyphenated, positionalsOf } from './operation-words.ts';
import { show } from './output.ts';

/** Answers from the data folder of this installation, in this process, and shows the answer. */
export async function ask(operation: Operation, given: Record<string, unknown>, json: boolean): Promise<void> {
  const config = loadConfig();
  const input = readInput(operation, given);
  const answer = await withServices(config, (services) =>
    run(operation, input, services, { callerGone: () => new AbortController().signal }),
  );
  show(json, answer, (width) => answerLines(answer, OPERATIONS, width));
}

/** Opens the catalog, made from the starter where there is none, for as long as `work` needs it. */
export async function withServices<T>(
  config: Config,
  work: (services: Services) => Promise<T>,
  net = netOf(config),
): Promise<T> {
  const folder = catalogFolder(config);
  mkdirSync(folder, { recursive: true });
  await ensureStarter(folder, new Date());
  let problem: Error | null = null;
  const shared = { answers: null, degraded: () => [], throttle: throttleOfThisProcess() };
  let isOpen = false;
  const onProblem = (met: Error): void => {
    if (isOpen) sayOnStderr(describeSystemError(met));
    else problem = met;
  };
  const services = createServices(config, { net, onProblem, shared });
  isOpen = true;
  try {
    // Without a catalog every operation would say "not ready"; here is known why.
    if (problem !== null && services.catalog.current === null) throw problem;
    if (problem !== null) sayOnStderr(services.catalog.problem ?? describeSystemError(problem));
    return await work(services);
  } finally {
    await net.close();
    services.catalog.close();
  }
}

function readInput(operation: Operation, given: Record<string, unknown>): Record<string, unknown> {
  try {
    return parseInput(operation, fromText(operation.input, given), OPERATIONS);
  } catch (error) {
    throw error instanceof Refusal && error.faults !== null
      ? new CliError('usage', faultsText(operation, error))
      : error;
  }
}

/** Faults by the names that they have here. */
function faultsText(operation: Operation, refusal: Refusal): string {
  const positionals = positionalsOf(operation);
  const lines = (refusal.faults ?? []).map(({ loc: [, field, ...rest], msg }) => {
    const name = hyphenated(String(field ?? 'input'));
    const shown = positionals.includes(String(field)) ? name : `--${name}`;
    return `${[shown, ...rest].join('.')}: ${msg}`;
  });
  return lines.slice(0, 2).join('\n');
}
