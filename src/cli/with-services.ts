import { mkdirSync } from 'node:fs';
import { createProcessThrottle } from '../access/target-throttle.ts';
import { recoverOrCreateCatalog } from '../catalog/recover-or-create-catalog.ts';
import type { Config } from '../config.ts';
import type { RunnerDeps } from '../engine/runner.ts';
import { openConfiguredNet, catalogFolderOf, createRunnerDeps } from '../server/runner-deps.ts';
import { describeSystemError } from '../system-error.ts';
import { printToStderr } from './report-failure.ts';

/** Runs `work` with the services of this installation, then closes them. Without a catalog, the starter catalog is created first. */
export async function withServices<T>(
  config: Config,
  work: (services: RunnerDeps) => Promise<T>,
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
  const services = createRunnerDeps(config, { net, onProblem, backends });
  isStarted = true;
  try {
    // Without a catalog every operation would only say "not ready".
    if (startProblem !== null && services.catalog.current === null) throw startProblem;
    if (startProblem !== null) printToStderr(services.catalog.problem ?? describeSystemError(startProblem));
    return await work(services);
  } finally {
    await net.close();
    services.catalog.close();
  }
}
