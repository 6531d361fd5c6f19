/** Whoever asks, as operations about oneself see them. There is no way from here to anybody else. */
export interface CallerAccount {
  readonly tier: 'keyless' | 'pro';
  /** Opaque name of the key, or of the address where no key was sent. */
  readonly pseudonym: string;
  /** HMAC-SHA-256 of the address, or of the /64 of an IPv6 address: the only form in which it is ever stored. */
  readonly addressHash: string;
  /** What is stored of the key that was sent, at this moment; null without one. */
  key(): Promise<CallerKey | null>;
  /** Tokens an hour; null where there is no limit. */
  quota(): Promise<CallerQuota | null>;
  /** Requests counted since a moment, by endpoint, the most used first. `key`: those with this key alone. */
  usage(since: Date, of: 'key' | 'all'): Promise<{ endpoint: string; count: number }[]>;
}

/** What is stored of a key, without its hash. */
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
