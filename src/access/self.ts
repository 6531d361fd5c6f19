import type { Self } from '../engine/self.ts';
import type { Accounts } from './accounts.ts';
import type { Caller } from './caller.ts';
import type { Gate } from './gate.ts';
import { orNotReady } from './or-not-ready.ts';
import type { UsageRecorder } from './usage-recorder.ts';

/** What a caller may learn of themselves. */
export function selfOf(
  caller: Caller,
  { gate, accounts, recorder }: { gate: Gate; accounts: Accounts; recorder: UsageRecorder },
): Self {
  const { tier, name, addressName, key } = caller;
  return {
    tier,
    name,
    addressHash: addressName,
    quota: async () => (await gate.standing(caller)).quota,
    // What was asked a moment ago is counted too.
    async key() {
      if (key === null) return null;
      await recorder.flush();
      return orNotReady(accounts.keyById(key.id));
    },
    async usage(since, of) {
      await recorder.flush();
      const names = of === 'key' ? [name] : [...new Set([name, addressName])];
      return orNotReady(accounts.usageOf(names, since));
    },
  };
}
