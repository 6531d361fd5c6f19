import { ApiError, notReadyError } from '../errors.ts';
import type { CallerAccount } from '../engine/caller-account.ts';
import type { WatchBook } from '../engine/watch-book.ts';
import type { Accounts } from './accounts.ts';
import type { Caller } from './caller.ts';
import { BackendUnavailableError } from './counters.ts';
import type { AdmissionController } from './admission-controller.ts';
import type { UsageRecorder } from './usage-recorder.ts';

/** The owner of watches on an installation for one person. */
export const LOCAL_OWNER = 'local';
const KEY_OWNER_PREFIX = 'key:';

/** Opens the watches of an owner. */
export type OpenWatches = (owner: string) => Promise<WatchBook>;

interface CallerAccountDeps {
  admission: AdmissionController;
  accounts: Accounts;
  recorder: UsageRecorder;
  /** Null: this process has none. */
  openWatches: OpenWatches | null;
}

/** What an operation may read about its own caller. */
export function createCallerAccount(
  caller: Caller,
  { admission, accounts, recorder, openWatches }: CallerAccountDeps,
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
    async watches() {
      const owner = watchOwnerOf(caller);
      if (owner === null) {
        throw new ApiError(
          'api_key_required',
          'Watches belong to a key: send one, as "Authorization: Bearer <key>". Without a key they are kept on an installation for one person only, for callers on its machine.',
        );
      }
      if (openWatches === null) throw notReadyError('Watches cannot be read here.');
      return openWatches(owner);
    },
  };
}

/** Who owns the caller's watches: a key by its id, a subject of access tokens by its pseudonym, or the one person; null: nobody. */
function watchOwnerOf({ key, hasAccessToken, pseudonym, isUnlimited }: Caller): string | null {
  if (key !== null) return `${KEY_OWNER_PREFIX}${key.id}`;
  if (hasAccessToken === true) return `subject:${pseudonym}`;
  return isUnlimited === true ? LOCAL_OWNER : null;
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

/** The id of the key that owns watches; null: the owner is not a key. */
export function keyIdOfOwner(owner: string): string | null {
  return owner.startsWith(KEY_OWNER_PREFIX) ? owner.slice(KEY_OWNER_PREFIX.length) : null;
}
