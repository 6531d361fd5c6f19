import { mkdirSync } from 'node:fs';
import { createProcessThrottle } from '../access/target-throttle.ts';
import { ensureCatalog } from '../catalog/ensure-catalog.ts';
import type { Config } from '../config.ts';
import type { RunnerDeps } from '../engine/runner.ts';
import { openConfiguredNet, catalogFolderOf, createRunnerDeps } from '../server/runner-deps.ts';
import { describeSystemError } from '../system-error.ts';
import { printToStderr } from './report-failure.ts';

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
