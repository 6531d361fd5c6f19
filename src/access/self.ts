import type { Self } from '../operations/self.ts';
import type { Accounts } from './accounts.ts';
import type { Caller } from './caller.ts';
import type { Gate } from './gate.ts';
import type { UsageRecorder } from './usage-recorder.ts';

/** What a caller may learn of themselves. */
export function selfOf(caller: Caller, of: { gate: Gate; accounts: Accounts; recorder: UsageRecorder }): Self {
  return {
    tier: caller.tier,
    addressHash: caller.addressName,
    key: caller.key,
    quota: async () => (await of.gate.standing(caller)).quota,
    async usage(since, which) {
      // What was asked a moment ago is counted too.
      await of.recorder.flush();
      const names = which === 'key' ? [caller.name] : [...new Set([caller.name, caller.addressName])];
      return of.accounts.usageOf(names, since);
    },
  };
}
