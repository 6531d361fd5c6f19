import { LRUCache } from 'lru-cache';
import { notReadyError } from '../errors.ts';
import type { Accounts, ApiKeyRecord } from './accounts.ts';
import type { MaybePromise } from './maybe-promise.ts';

const MAX_KEYS = 10_000;

/** How long a key is believed without asking again: a revoked one stops working within this time. */
export const KEY_TTL_MS = 5000;
/** While the accounts are away, keys that were known go on working for this long. */
export const KEY_STALE_IF_ERROR_MS = 10 * 60_000;

interface CacheEntry {
  record: ApiKeyRecord | null;
  /** Monotonic milliseconds. */
  readAtMs: number;
}

/** Keys by hash as the accounts have them, remembered for a few seconds; null for one that is unknown or revoked. */
export class ApiKeyCache {
  readonly #accounts: Pick<Accounts, 'findKeyByHash'>;
  readonly #nowMs: () => number;
  readonly #entries = new LRUCache<string, CacheEntry>({ max: MAX_KEYS });
  readonly #pendingReads = new Map<string, Promise<ApiKeyRecord | null>>();

  /** `elapsed`: monotonic milliseconds. */
  constructor(accounts: Pick<Accounts, 'findKeyByHash'>, elapsed: () => number = () => performance.now()) {
    this.#accounts = accounts;
    this.#nowMs = elapsed;
  }

  find(hash: string): MaybePromise<ApiKeyRecord | null> {
    const entry = this.#entries.get(hash);
    if (entry !== undefined && this.#nowMs() - entry.readAtMs < KEY_TTL_MS) return entry.record;
    let asked = this.#pendingReads.get(hash);
    if (asked === undefined) {
      asked = this.#read(hash, entry).finally(() => this.#pendingReads.delete(hash));
      this.#pendingReads.set(hash, asked);
    }
    return asked;
  }

  async #read(hash: string, known: CacheEntry | undefined): Promise<ApiKeyRecord | null> {
    const readAt = this.#nowMs();
    try {
      const record = await this.#accounts.findKeyByHash(hash);
      this.#entries.set(hash, { record, readAtMs: readAt });
      return record;
    } catch {
      if (known?.record != null && readAt - known.readAtMs < KEY_STALE_IF_ERROR_MS) return known.record;
      throw notReadyError('Keys cannot be checked at the moment.');
    }
  }
}
