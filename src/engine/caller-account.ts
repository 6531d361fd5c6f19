import type { WatchBook } from './watch-book.ts';

/** The caller as a personal operation sees it; it gives no access to other callers. */
export interface CallerAccount {
  readonly tier: 'keyless' | 'pro';
  /** Pseudonym of the key, or of the address where no key was sent. */
  readonly pseudonym: string;
  /** HMAC-SHA-256 of the address, or of the /64 of an IPv6 address: the only form in which it is ever stored. */
  readonly addressHash: string;
  /** The stored record of the caller's key; null without a key. */
  key(): Promise<CallerKey | null>;
  /** Tokens an hour; null where there is no limit. */
  quota(): Promise<CallerQuota | null>;
  /** Requests since a moment, by endpoint, the most used first. `key`: only those with this key. */
  usage(since: Date, of: 'key' | 'all'): Promise<{ endpoint: string; count: number }[]>;
  /** The caller's watches. Throws `ApiError` 401 for a caller who can have none, 503 where they cannot be read. */
  watches(): Promise<WatchBook>;
}

/** The stored record of a key, without its hash. */
export interface CallerKey {
  readonly id: string;
  readonly orderId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
}

export interface CallerQuota {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}
