import { LRUCache } from 'lru-cache';
import { Refusal } from '../errors.ts';
import type { Accounts, KeyRecord } from './accounts.ts';
import type { MaybePromise } from './maybe-promise.ts';

const MAX_KEYS = 10_000;
const TRY_AGAIN_SECONDS = 5;

/** How long a key is believed without asking again: a revoked one stops working within this time. */
export const KEY_FRESH_MS = 5000;
/** While the accounts are away, keys that were known go on working for this long. */
export const KEY_STALE_MS = 10 * 60_000;

interface Entry {
  record: KeyRecord | null;
  /** Monotonic milliseconds. */
  readAt: number;
}

/** Keys by hash as the accounts have them, remembered for a few seconds; null for one that is unknown or revoked. */
export class KeyCache {
  readonly #accounts: Pick<Accounts, 'findKey'>;
  readonly #elapsed: () => number;
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_KEYS });
  readonly #asked = new Map<string, Promise<KeyRecord | null>>();

  /** `elapsed`: monotonic milliseconds. */
  constructor(accounts: Pick<Accounts, 'findKey'>, elapsed: () => number = () => performance.now()) {
    this.#accounts = accounts;
    this.#elapsed = elapsed;
  }

  find(hash: string): MaybePromise<KeyRecord | null> {
    const entry = this.#entries.get(hash);
    if (entry !== undefined && this.#elapsed() - entry.readAt < KEY_FRESH_MS) return entry.record;
    let asked = this.#asked.get(hash);
    if (asked === undefined) {
      asked = this.#read(hash, entry).finally(() => this.#asked.delete(hash));
      this.#asked.set(hash, asked);
    }
    return asked;
  }

  async #read(hash: string, known: Entry | undefined): Promise<KeyRecord | null> {
    const readAt = this.#elapsed();
    try {
      const record = await this.#accounts.findKey(hash);
      this.#entries.set(hash, { record, readAt });
      return record;
    } catch {
      if (known?.record != null && readAt - known.readAt < KEY_STALE_MS) return known.record;
      throw new Refusal('not_ready', 'Keys cannot be checked at the moment. Try again in a few seconds.', {
        retryAfterSeconds: TRY_AGAIN_SECONDS,
      });
    }
  }
}
