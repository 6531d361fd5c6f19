/** Keys and usage: what is remembered of callers. SQLite in the data folder, or PostgreSQL for replicas. */
export interface Accounts {
  /** Creates tables; safe to call from several processes at once. */
  migrate(): Promise<void>;

  addKey(key: KeyRecord): Promise<void>;
  /** By SHA-256 (lower-case hex) of the key; revoked ones are not found. */
  findKey(hash: string): Promise<KeyRecord | null>;
  listKeys(): Promise<KeyRecord[]>;
  /** New expiry of a key, by its id; false when there is no such key. */
  renewKey(id: string, expiresAt: Date): Promise<boolean>;
  revokeKey(id: string, at: Date): Promise<boolean>;
  /** Last use of keys, by hash, written together now and then. */
  touchKeys(lastUse: ReadonlyMap<string, Date>): Promise<void>;

  addUsage(rows: readonly UsageRow[]): Promise<void>;
  /** All rows of one caller since a moment, counted by endpoint. */
  usageOf(caller: string, since: Date): Promise<{ endpoint: string; count: number }[]>;
  purgeUsage(before: Date): Promise<number>;

  close(): Promise<void>;
}

export interface KeyRecord {
  /** Short, not secret: what lists and commands name the key by. */
  id: string;
  hash: string;
  orderId: string;
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** One answered request. No address, no query, no target. */
export interface UsageRow {
  /** HMAC-SHA-256 of the caller's address bucket or key id, with this installation's secret. */
  caller: string;
  /** Template: `GET /v1/cve/:cve_id`. */
  endpoint: string;
  at: Date;
}
