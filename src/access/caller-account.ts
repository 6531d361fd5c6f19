import type { CallerAccount } from '../engine/caller-account.ts';
import type { Accounts } from './accounts.ts';
import type { Caller } from './caller.ts';
import type { AdmissionController } from './admission-controller.ts';
import { orServiceUnavailable } from './or-service-unavailable.ts';
import type { UsageRecorder } from './usage-recorder.ts';

/** What an operation may read about its own caller. */
export function createCallerAccount(
  caller: Caller,
  { admission, accounts, recorder }: { admission: AdmissionController; accounts: Accounts; recorder: UsageRecorder },
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
    async usage(since, of) {
      await recorder.flush();
      const names = of === 'key' ? [pseudonym] : [...new Set([pseudonym, addressPseudonym])];
      return orServiceUnavailable(accounts.countUsage(names, since));
    },
  };
}
