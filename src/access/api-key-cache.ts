import { createLruCache } from '../lru-cache.ts';
import { notReadyError } from '../errors.ts';
import type { Accounts, ApiKeyRecord } from './accounts.ts';
import type { MaybePromise } from './maybe-promise.ts';

const MAX_KEYS = 10_000;

/** TTL of a cached key: a revoked key stops working within this time. */
export const KEY_TTL_MS = 5000;
/** While the account store is down, cached keys stay valid for this long. */
export const KEY_STALE_IF_ERROR_MS = 10 * 60_000;

interface CacheEntry {
  record: ApiKeyRecord | null;
  /** Monotonic milliseconds. */
  readAtMs: number;
}

/** Caches keys of the account store by hash; null for a key that is unknown or revoked. */
export class ApiKeyCache {
  readonly #accounts: Pick<Accounts, 'findKeyByHash'>;
  readonly #nowMs: () => number;
  readonly #entries = createLruCache<string, CacheEntry>(MAX_KEYS);
  readonly #pendingReads = new Map<string, Promise<ApiKeyRecord | null>>();

  /** `nowMs`: monotonic milliseconds. */
  constructor(accounts: Pick<Accounts, 'findKeyByHash'>, nowMs: () => number = () => performance.now()) {
    this.#accounts = accounts;
    this.#nowMs = nowMs;
  }

  find(hash: string): MaybePromise<ApiKeyRecord | null> {
    const entry = this.#entries.get(hash);
    if (entry !== undefined && this.#nowMs() - entry.readAtMs < KEY_TTL_MS) return entry.record;
    let pending = this.#pendingReads.get(hash);
    if (pending === undefined) {
      pending = this.#read(hash, entry).finally(() => this.#pendingReads.delete(hash));
      this.#pendingReads.set(hash, pending);
    }
    return pending;
  }

  async #read(hash: string, cached: CacheEntry | undefined): Promise<ApiKeyRecord | null> {
    const readAtMs = this.#nowMs();
    try {
      const record = await this.#accounts.findKeyByHash(hash);
      this.#entries.set(hash, { record, readAtMs });
      return record;
    } catch {
      if (cached?.record != null && readAtMs - cached.readAtMs < KEY_STALE_IF_ERROR_MS) return cached.record;
      throw notReadyError('Keys cannot be checked at the moment.');
    }
  }
}
