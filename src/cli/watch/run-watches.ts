import { formatCount } from '../../engine/summary.ts';
import { LOCAL_OWNER } from '../../access/caller-account.ts';
import { receiverRulesOf } from '../../server/configured-watches.ts';
import { type OpenWatchLoop, openWatchLoop } from '../../server/open-watch-loop.ts';
import { describeSystemError } from '../../system-error.ts';
import { OwnerWatchBook } from '../../watches/book/owner-watch-book.ts';
import { printOutput } from '../output.ts';
import { printToStderr } from '../report-failure.ts';
import { runInterruptible } from '../run-interruptible.ts';
import { localAccount, type LocalWatches, withLocalWatches } from './with-local-watches.ts';

/** `sextant watch run`: what the service does for watches, once. */
export async function runWatches(json: boolean): Promise<void> {
  const done = await withLocalWatches((local) =>
    withWatchLoop(local, ({ loop }) => runInterruptible((signal) => loop.runOnce(signal))),
  );
  printOutput(json, done, () => [
    `${formatCount(done.changes, 'change')} matched, ${formatCount(done.events, 'event')}, ${formatCount(done.deliveries, 'delivery')} tried.`,
  ]);
}

/** Runs work while this process does what is to be done for watches, and sends what came of it: a test or a replay needs no service then. */
export function whileWatching<T>(local: LocalWatches, work: (local: LocalWatches) => Promise<T>): Promise<T> {
  return withWatchLoop(local, async ({ loop, store }) => {
    // On one connection: transactions of two in one process would wait for each other.
    const deps = { store, rules: receiverRulesOf(local.config), now: local.runnerDeps.now };
    const account = localAccount(async () => new OwnerWatchBook(LOCAL_OWNER, deps));
    const stopped = new AbortController();
    const running = loop.run(stopped.signal);
    let done: T;
    try {
      done = await work({ ...local, account });
    } finally {
      stopped.abort();
      await running;
    }
    await loop.runOnce(new AbortController().signal);
    return done;
  });
}

async function withWatchLoop<T>(
  { config, runnerDeps, net }: LocalWatches,
  work: (watching: OpenWatchLoop) => Promise<T>,
): Promise<T> {
  const onProblem = (problem: Error): void => printToStderr(describeSystemError(problem));
  const watching = await openWatchLoop(config, { runnerDeps, net, onProblem });
  try {
    return await work(watching);
  } finally {
    await watching.close();
  }
}
