import { notReadyError } from '../errors.ts';
import type { CallerAccount } from '../engine/caller-account.ts';
import type { WatchBook } from '../engine/watch-book.ts';
import type { Accounts } from './accounts.ts';
import type { Caller } from './caller.ts';
import { BackendUnavailableError } from './counters.ts';
import type { AdmissionController } from './admission-controller.ts';
import type { UsageRecorder } from './usage-recorder.ts';

/** What an operation may read about its own caller. */
export function createCallerAccount(
  caller: Caller,
  {
    admission,
    accounts,
    recorder,
    watchBookOf,
  }: {
    admission: AdmissionController;
    accounts: Accounts;
    recorder: UsageRecorder;
    watchBookOf: (caller: Caller) => WatchBook;
  },
): CallerAccount {
  const { tier, pseudonym, addressPseudonym, key } = caller;
  return {
    tier,
    pseudonym,
    addressHash: addressPseudonym,
    quota: async () => (await admission.currentQuota(caller)).quota,
    // Recent requests are counted too: they are written first.
    async key() {
      if (key === null) return null;
      await recorder.flush();
      return orServiceUnavailable(accounts.findKeyById(key.id));
    },
    watches: () => watchBookOf(caller),
    async usage(since, of) {
      await recorder.flush();
      const names = of === 'key' ? [pseudonym] : [...new Set([pseudonym, addressPseudonym])];
      return orServiceUnavailable(accounts.countUsage(names, since));
    },
  };
}

/** Turns `BackendUnavailableError` into `ApiError` 503 `not_ready`. */
async function orServiceUnavailable<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    if (!(error instanceof BackendUnavailableError)) throw error;
    throw notReadyError('What is remembered of callers cannot be read at the moment.');
  }
}
