import { formatCount } from '../../engine/summary.ts';
import { openWatchLoop } from '../../server/open-watch-loop.ts';
import { describeSystemError } from '../../system-error.ts';
import type { WatchLoop } from '../../watches/watch-loop.ts';
import { printOutput } from '../output.ts';
import { printToStderr } from '../report-failure.ts';
import { runInterruptible } from '../run-interruptible.ts';
import { type LocalWatches, withLocalWatches } from './with-local-watches.ts';

/** `sextant watch run`: what the service does for watches, once. */
export async function runWatches(json: boolean): Promise<void> {
  const done = await withLocalWatches((local) =>
    withWatchLoop(local, (loop) => runInterruptible((signal) => loop.runOnce(signal))),
  );
  printOutput(json, done, () => [
    `${formatCount(done.changes, 'change')} matched, ${formatCount(done.events, 'event')}, ${formatCount(done.deliveries, 'delivery')} tried.`,
  ]);
}

/** Runs work while this process does what is to be done for watches: a test or a replay needs no service then. */
export function whileWatching<T>(local: LocalWatches, work: () => Promise<T>): Promise<T> {
  return withWatchLoop(local, async (loop) => {
    const stopped = new AbortController();
    const running = loop.run(stopped.signal);
    try {
      return await work();
    } finally {
      stopped.abort();
      await running;
    }
  });
}

async function withWatchLoop<T>(
  { config, runnerDeps, net }: LocalWatches,
  work: (loop: WatchLoop) => Promise<T>,
): Promise<T> {
  const onProblem = (problem: Error): void => printToStderr(describeSystemError(problem));
  const { loop, close } = await openWatchLoop(config, { runnerDeps, net, onProblem });
  try {
    return await work(loop);
  } finally {
    await close();
  }
}
