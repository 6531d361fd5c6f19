/** API keys and usage: all that is stored about callers. SQLite in the data folder, or PostgreSQL for replicas. */
export interface Accounts {
  /** Creates or updates the tables; safe to call from several processes at once. */
  migrate(): Promise<void>;

  addKey(key: ApiKeyRecord): Promise<void>;
  /** By SHA-256 (lower-case hex) of the key; revoked ones are not found. */
  findKeyByHash(hash: string): Promise<ApiKeyRecord | null>;
  /** By its id, revoked or not. */
  findKeyById(id: string): Promise<ApiKeyRecord | null>;
  /** Newest first. */
  listKeys(): Promise<ApiKeyRecord[]>;
  /** Sets the expiry; false where there is no such key, or it is revoked. */
  renewKey(id: string, expiresAt: Date): Promise<boolean>;
  /** False where there is no such key, or it is revoked already. */
  revokeKey(id: string, at: Date): Promise<boolean>;
  /** Sets the last use of keys, by hash. */
  touchKeys(hashes: readonly string[], at: Date): Promise<void>;

  /** Adds to the count of the same caller, endpoint and minute. */
  addUsage(rows: readonly UsageRow[]): Promise<void>;
  /** Requests of these callers (pseudonyms) since a moment, by endpoint, the most used first. */
  countUsage(callers: readonly string[], since: Date): Promise<EndpointUsage[]>;
  /** Deletes rows of minutes before a moment; gives their number. */
  purgeUsage(before: Date): Promise<number>;

  close(): Promise<void>;
}

export interface ApiKeyRecord {
  /** Short public id: lists and commands refer to the key by it. */
  id: string;
  /** SHA-256 of the key, lower-case hex. The key itself is not stored. */
  hash: string;
  orderId: string;
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** Requests of one caller to one endpoint within one minute. No address, no query, no target. */
export interface UsageRow {
  /** HMAC-SHA-256 of the caller's address bucket or key id, with this installation's secret. */
  caller: string;
  /** Template: `GET /v1/cve/{cve_id}`. */
  endpoint: string;
  /** Start of the minute. */
  minute: Date;
  count: number;
}

export interface EndpointUsage {
  endpoint: string;
  count: number;
}
