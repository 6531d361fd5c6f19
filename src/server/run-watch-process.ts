import { openSharedAnswers } from '../access/backends.ts';
import { createProcessThrottle } from '../access/target-throttle.ts';
import type { Config } from '../config.ts';
import { createLogger } from '../log.ts';
import type { NetworkClient } from '../net/network-client.ts';
import { describeSystemError } from '../system-error.ts';
import { lowerPriority } from './lower-priority.ts';
import { openWatchLoop } from './open-watch-loop.ts';
import { createRunnerDeps, openConfiguredNet } from './runner-deps.ts';

/** What the parent sends. */
export interface StartWatching {
  type: 'start';
  config: Config;
}

const STOP_TIMEOUT_MS = 2000;

/** Does what is to be done for watches until the parent disconnects. `openNet`: the way out. */
export function runWatchProcess(openNet: (config: Config) => NetworkClient = openConfiguredNet): void {
  const stopped = new AbortController();
  // What is still being sent then is sent again, under its id, when the claim on it has ended.
  process.on('disconnect', () => {
    stopped.abort();
    setTimeout(() => process.exit(), STOP_TIMEOUT_MS);
  });
  if (!process.connected) process.exit();
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  lowerPriority();
  process.once('message', ({ config }: StartWatching) => void work(config, openNet(config), stopped.signal));
}

async function work(config: Config, net: NetworkClient, signal: AbortSignal): Promise<void> {
  const logger = createLogger(config);
  const onProblem = (problem: Error): void =>
    logger.error({ reason: describeSystemError(problem), process: 'watch' }, 'watches: not as it should be');
  const runnerDeps = createRunnerDeps(config, {
    net,
    onProblem,
    backends: {
      sharedAnswers: await openSharedAnswers(config),
      unavailableBackends: () => [],
      throttleTarget: createProcessThrottle(),
    },
  });
  const watches = await openWatchLoop(config, { runnerDeps, net, onProblem });
  await watches.loop.run(signal);
  await watches.close();
  process.exit();
}
