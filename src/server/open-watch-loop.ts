import { openAccounts } from '../access/access.ts';
import { apiKeyStateOf } from '../access/api-key-lifecycle.ts';
import { keyIdOfOwner } from '../access/caller-account.ts';
import type { Config } from '../config.ts';
import { parseInput } from '../engine/input/parse-input.ts';
import { runOperation, type RunnerDeps } from '../engine/runner.ts';
import type { NetworkClient } from '../net/network-client.ts';
import { OPERATIONS } from '../operations/list.ts';
import { MailSender } from '../watches/delivery/mail-sender.ts';
import type { WatchStore } from '../watches/store/create-watch-store.ts';
import { openWatchStore } from '../watches/store/open-watch-store.ts';
import { WatchLoop } from '../watches/watch-loop.ts';

export interface OpenWatchLoop {
  loop: WatchLoop;
  store: WatchStore;
  close(): Promise<void>;
}

interface WatchLoopDeps {
  /** The catalog, and live sources in this process. */
  runnerDeps: RunnerDeps;
  net: NetworkClient;
  onProblem: (problem: Error) => void;
}

/** Opens what is done for the watches of this installation. Throws where their store or the accounts cannot be reached. */
export async function openWatchLoop(config: Config, deps: WatchLoopDeps): Promise<OpenWatchLoop> {
  const now = (): Date => new Date();
  const { smtpUrl, mailFrom: from, mailTo: allowedTo, extraCa } = config;
  const accounts = await openAccounts(config, 'normal');
  const store = await openWatchStore(config, now).catch(async (error: unknown) => {
    await accounts.close();
    throw error;
  });
  const queue = await store.openQueue(deps.onProblem);
  const ownerProblem = async (owner: string): Promise<string | null> => {
    const id = keyIdOfOwner(owner);
    if (id === null) return null;
    const key = await accounts.findKeyById(id);
    const state = key === null ? 'unknown here' : apiKeyStateOf(key, now());
    return state === 'active' ? null : `the key of this watch is ${state}`;
  };
  const loop = new WatchLoop({
    ...deps,
    store,
    queue,
    catalog: deps.runnerDeps.catalog,
    ask: (id, input) => ask(id, input, deps.runnerDeps),
    mail: smtpUrl === null || from === null ? null : new MailSender({ smtpUrl, from, allowedTo, extraCa }),
    ownerProblem,
    now,
  });
  return {
    loop,
    store,
    async close() {
      await queue.close();
      await Promise.all([store.close(), accounts.close()]);
    },
  };
}

async function ask(
  id: string,
  input: Parameters<typeof parseInput>[1],
  runnerDeps: RunnerDeps,
): Promise<Record<string, unknown>> {
  const operation = OPERATIONS.find((each) => each.id === id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  return runOperation(operation, parseInput(operation, input), runnerDeps, {
    disconnectSignal: () => new AbortController().signal,
  });
}
