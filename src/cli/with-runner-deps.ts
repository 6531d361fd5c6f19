import { mkdirSync } from 'node:fs';
import { createProcessThrottle } from '../access/target-throttle.ts';
import { recoverOrCreateCatalog } from '../catalog/recover-or-create-catalog.ts';
import type { Config } from '../config.ts';
import type { RunnerDeps } from '../engine/runner.ts';
import { openConfiguredNet, catalogFolderOf, createRunnerDeps } from '../server/runner-deps.ts';
import { describeSystemError } from '../system-error.ts';
import { printToStderr } from './report-failure.ts';

/**
 * Runs `work` with what the runner needs in this installation, then closes it. Without a catalog, the starter catalog is created first;
 * problems of the catalog are printed to stderr.
 */
export async function withRunnerDeps<T>(
  config: Config,
  work: (runnerDeps: RunnerDeps) => Promise<T>,
  net = openConfiguredNet(config),
): Promise<T> {
  const folder = catalogFolderOf(config);
  mkdirSync(folder, { recursive: true });
  await recoverOrCreateCatalog(folder, new Date());
  let startProblem: Error | null = null;
  const backends = { sharedAnswers: null, unavailableBackends: () => [], throttleTarget: createProcessThrottle() };
  let isStarted = false;
  const onProblem = (error: Error): void => {
    if (isStarted) printToStderr(describeSystemError(error));
    else startProblem = error;
  };
  const runnerDeps = createRunnerDeps(config, { net, onProblem, backends });
  isStarted = true;
  try {
    // Without a catalog every operation would only say "not ready".
    if (startProblem !== null && runnerDeps.catalog.current === null) throw startProblem;
    if (startProblem !== null) printToStderr(runnerDeps.catalog.problem ?? describeSystemError(startProblem));
    return await work(runnerDeps);
  } finally {
    await net.close();
    runnerDeps.catalog.close();
  }
}
