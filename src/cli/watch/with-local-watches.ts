import { LOCAL_OWNER } from '../../access/caller-account.ts';
import type { Config } from '../../config.ts';
import type { CallerAccount } from '../../engine/caller-account.ts';
import type { RunnerDeps } from '../../engine/runner.ts';
import type { NetworkClient } from '../../net/network-client.ts';
import { openConfiguredWatches } from '../../server/configured-watches.ts';
import { openConfiguredNet } from '../../server/runner-deps.ts';
import { describeSystemError } from '../../system-error.ts';
import { loadConfig } from '../load-config.ts';
import { printToStderr } from '../report-failure.ts';
import { withRunnerDeps } from '../with-runner-deps.ts';

/** What commands about watches need: the catalog, and the local user of the data folder, who owns the watches. */
export interface LocalWatches {
  readonly config: Config;
  readonly runnerDeps: RunnerDeps;
  readonly net: NetworkClient;
  readonly account: CallerAccount;
}

/** Runs work about the watches of the local user. */
export async function withLocalWatches<T>(
  work: (local: LocalWatches) => Promise<T>,
  config = loadConfig(),
  net = openConfiguredNet(config),
): Promise<T> {
  const run = async (runnerDeps: RunnerDeps): Promise<T> => {
    const watches = openConfiguredWatches(config, (problem) => printToStderr(describeSystemError(problem)));
    try {
      return await work({ config, runnerDeps, net, account: localAccount(() => watches.open(LOCAL_OWNER)) });
    } finally {
      await watches.close();
    }
  };
  return withRunnerDeps(config, run, net);
}

/** The local user has watches, and neither a key nor a quota. */
export function localAccount(watches: CallerAccount['watches']): CallerAccount {
  return {
    tier: 'keyless',
    pseudonym: LOCAL_OWNER,
    addressHash: '',
    key: async () => null,
    quota: async () => null,
    usage: async () => [],
    watches,
  };
}
