import { mkdirSync } from 'node:fs';
import { createProcessThrottle } from '../access/target-throttle.ts';
import { ensureCatalog } from '../catalog/ensure-catalog.ts';
import type { Config } from '../config.ts';
import { ApiError } from '../errors.ts';
import { OPERATIONS } from '../operations/list.ts';
import type { Operation } from '../engine/operation.ts';
import { parseInput } from '../engine/input/parse-input.ts';
import { runOperation, type RunnerDeps } from '../engine/runner.ts';
import { convertTextInput } from '../engine/input/text-input.ts';
import { catalogFolderOf, createRunnerDeps, openConfiguredNet } from '../server/runner-deps.ts';
import { describeSystemError } from '../system-error.ts';
import { answerLines } from './answer-view.ts';
import { printToStderr } from './report-failure.ts';
import { CliError } from '../exit-codes.ts';
import { loadConfig } from './load-config.ts';
import { toKebabCase, positionalFields } from './operation-arguments.ts';
import { printOutput } from './output.ts';

/** Answers from the data folder of this installation, in this process, and shows the answer. */
export async function runAndPrint(operation: Operation, given: Record<string, unknown>, json: boolean): Promise<void> {
  const config = loadConfig();
  const input = parseCommandInput(operation, given);
  const answer = await withServices(config, (services) =>
    runOperation(operation, input, services, { disconnectSignal: () => new AbortController().signal }),
  );
  printOutput(json, answer, (width) => answerLines(answer, OPERATIONS, width));
}

/** Opens the catalog, made from the starter where there is none, for as long as `work` needs it. */
export async function withServices<T>(
  config: Config,
  work: (services: RunnerDeps) => Promise<T>,
  net = openConfiguredNet(config),
): Promise<T> {
  const folder = catalogFolderOf(config);
  mkdirSync(folder, { recursive: true });
  await ensureCatalog(folder, new Date());
  let problem: Error | null = null;
  const shared = { sharedAnswers: null, unavailableBackends: () => [], throttleTarget: createProcessThrottle() };
  let isOpen = false;
  const onProblem = (met: Error): void => {
    if (isOpen) printToStderr(describeSystemError(met));
    else problem = met;
  };
  const services = createRunnerDeps(config, { net, onProblem, backends: shared });
  isOpen = true;
  try {
    // Without a catalog every operation would say "not ready"; here is known why.
    if (problem !== null && services.catalog.current === null) throw problem;
    if (problem !== null) printToStderr(services.catalog.problem ?? describeSystemError(problem));
    return await work(services);
  } finally {
    await net.close();
    services.catalog.close();
  }
}

function parseCommandInput(operation: Operation, given: Record<string, unknown>): Record<string, unknown> {
  try {
    return parseInput(operation, convertTextInput(operation.input, given), OPERATIONS);
  } catch (error) {
    throw error instanceof ApiError && error.issues !== null
      ? new CliError('usage', validationIssuesText(operation, error))
      : error;
  }
}

/** Faults by the names that they have here. */
function validationIssuesText(operation: Operation, refusal: ApiError): string {
  const positionals = positionalFields(operation);
  const lines = (refusal.issues ?? []).map(({ loc: [, field, ...rest], msg }) => {
    const name = toKebabCase(String(field ?? 'input'));
    const shown = positionals.includes(String(field)) ? name : `--${name}`;
    return `${[shown, ...rest].join('.')}: ${msg}`;
  });
  return lines.slice(0, 2).join('\n');
}
