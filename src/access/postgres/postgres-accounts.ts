import type { Accounts, EndpointUsage, ApiKeyRecord, UsageRow } from '../accounts.ts';
import { KyselyAccounts } from '../kysely-accounts.ts';
import { type AccountsTables, AccountsTooNewError } from '../accounts-schema.ts';
import { BackendUnavailableError } from '../counters.ts';
import { BackendHealth } from '../backend-health.ts';
import { withTimeout } from '../with-timeout.ts';
import { lockMigration } from './lock-migration.ts';
import { isStatementError, openPostgres } from './postgres-pool.ts';

/** The longest that a request waits for PostgreSQL. */
export const DATABASE_TIMEOUT_MS = 1500;
/** One pool for calls that requests wait for, one for migrations and purges: at most five connections. */
const REQUEST_POOL = { maxConnections: 4, connectTimeoutMs: 1000, statementTimeoutMs: 1000 };
const MAINTENANCE_POOL = { maxConnections: 1, connectTimeoutMs: 1000, statementTimeoutMs: 60_000 };
const CLOSE_TIMEOUT_MS = 2000;

export interface PostgresAccountsOptions {
  /** `postgres://user:password@host:port/database`, with `?sslmode=` and other parameters of libpq. */
  url: string;
  onProblem: (problem: Error) => void;
}

/**
 * Accounts in PostgreSQL. While it is down, every call rejects with `BackendUnavailableError`, at once or within
 * `DATABASE_TIMEOUT_MS`. It is migrated when first reached.
 */
export class PostgresAccounts implements Accounts {
  readonly health: BackendHealth;
  readonly #requestAccounts: KyselyAccounts;
  readonly #maintenanceAccounts: KyselyAccounts;
  #isMigrated = false;
  #versionError: AccountsTooNewError | null = null;

  constructor({ url, onProblem }: PostgresAccountsOptions) {
    this.#requestAccounts = new KyselyAccounts(openPostgres<AccountsTables>(url, REQUEST_POOL), lockMigration);
    this.#maintenanceAccounts = new KyselyAccounts(openPostgres<AccountsTables>(url, MAINTENANCE_POOL), lockMigration);
    this.health = new BackendHealth({
      name: 'database',
      timeoutMs: DATABASE_TIMEOUT_MS,
      probe: () => this.#probe(),
      onProblem,
    });
  }

  /** Waits until PostgreSQL is reached, at most `timeoutMs`. Throws only `AccountsTooNewError`. */
  async waitUntilReady(timeoutMs: number): Promise<void> {
    await this.health.waitUntilUp(timeoutMs);
    if (this.#versionError !== null) throw this.#versionError;
  }

  async migrate(): Promise<void> {
    if (this.#isMigrated) return;
    try {
      await this.#maintenanceAccounts.migrate();
    } catch (error) {
      if (error instanceof AccountsTooNewError) this.#versionError = error;
      if (error instanceof AccountsTooNewError || isStatementError(error)) throw error;
      throw new BackendUnavailableError('the database is away', { cause: error });
    }
    this.#isMigrated = true;
  }

  addKey(key: ApiKeyRecord): Promise<void> {
    return this.#run((accounts) => accounts.addKey(key));
  }

  findKeyByHash(hash: string): Promise<ApiKeyRecord | null> {
    return this.#run((accounts) => accounts.findKeyByHash(hash));
  }

  findKeyById(id: string): Promise<ApiKeyRecord | null> {
    return this.#run((accounts) => accounts.findKeyById(id));
  }

  listKeys(): Promise<ApiKeyRecord[]> {
    return this.#run((accounts) => accounts.listKeys());
  }

  renewKey(id: string, expiresAt: Date): Promise<boolean> {
    return this.#run((accounts) => accounts.renewKey(id, expiresAt));
  }

  revokeKey(id: string, at: Date): Promise<boolean> {
    return this.#run((accounts) => accounts.revokeKey(id, at));
  }

  touchKeys(hashes: readonly string[], at: Date): Promise<void> {
    return this.#run((accounts) => accounts.touchKeys(hashes, at));
  }

  addUsage(rows: readonly UsageRow[]): Promise<void> {
    return this.#run((accounts) => accounts.addUsage(rows));
  }

  countUsage(callers: readonly string[], since: Date): Promise<EndpointUsage[]> {
    return this.#run((accounts) => accounts.countUsage(callers, since));
  }

  /** Not bounded by the timeout of requests: it deletes up to a day of all callers. */
  async purgeUsage(before: Date): Promise<number> {
    if (!this.health.isUp) throw new BackendUnavailableError('the database is away');
    return this.#maintenanceAccounts.purgeUsage(before);
  }

  async close(): Promise<void> {
    this.health.close();
    const closed = Promise.all([this.#requestAccounts.close(), this.#maintenanceAccounts.close()]);
    // A server that does not answer would delay the close.
    await withTimeout(CLOSE_TIMEOUT_MS, closed).catch(() => {});
  }

  #run<T>(work: (accounts: KyselyAccounts) => Promise<T>): Promise<T> {
    return this.health.attempt(() => work(this.#requestAccounts), isStatementError);
  }

  async #probe(): Promise<void> {
    await this.migrate();
    // Changes no row, but fails on a read-only server.
    await this.#requestAccounts.touchKeys([''], new Date(0));
  }
}
