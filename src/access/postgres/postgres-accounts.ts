import { type Kysely, sql } from 'kysely';
import type { Accounts, EndpointCount, KeyRecord, UsageRow } from '../accounts.ts';
import { KyselyAccounts } from '../accounts-kysely.ts';
import type { AccountsTables } from '../accounts-tables.ts';
import { EngineAwayError } from '../counters.ts';
import { Presence } from '../presence.ts';
import { isAnswerOfDatabase, openPostgres } from './pool.ts';

/** The longest that a request waits for PostgreSQL. */
export const DATABASE_WITHIN_MS = 1500;
/** For what requests wait for; and for migrations and purges, one at a time. Together at most five connections. */
const QUICK = { connections: 4, connectMs: 1000, statementMs: 1000 };
const THOROUGH = { connections: 1, connectMs: 1000, statementMs: 60_000 };
const PROBE_MS = { connections: 1, connectMs: 1000, statementMs: 1000 };
/** One of ours, among the advisory locks of the database: "sxt". */
const MIGRATION_LOCK = 0x737874;

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with `?sslmode=` and what else libpq knows. */
  url: string;
  onProblem: (problem: Error) => void;
}

/**
 * Accounts in PostgreSQL, which comes and goes: while it is away every call rejects with `EngineAwayError`, at once or within
 * `DATABASE_WITHIN_MS`. It is migrated when it is first reached.
 */
export class PostgresAccounts implements Accounts {
  readonly presence: Presence;
  readonly #probe: Kysely<AccountsTables>;
  readonly #quick: KyselyAccounts;
  readonly #thorough: KyselyAccounts;
  #isMigrated = false;

  constructor({ url, onProblem }: PostgresOptions) {
    this.#probe = openPostgres(url, PROBE_MS);
    this.#quick = new KyselyAccounts(openPostgres(url, QUICK), oneAtATime);
    this.#thorough = new KyselyAccounts(openPostgres(url, THOROUGH), oneAtATime);
    this.presence = new Presence({ name: 'database', withinMs: DATABASE_WITHIN_MS, probe: () => this.#check(), onProblem });
  }

  async migrate(): Promise<void> {
    if (this.#isMigrated) return;
    try {
      await this.#thorough.migrate();
    } catch (error) {
      throw isAway(error) ? new EngineAwayError('the database is away', { cause: error }) : error;
    }
    this.#isMigrated = true;
  }

  addKey(key: KeyRecord): Promise<void> {
    return this.#run((accounts) => accounts.addKey(key));
  }

  findKey(hash: string): Promise<KeyRecord | null> {
    return this.#run((accounts) => accounts.findKey(hash));
  }

  keyById(id: string): Promise<KeyRecord | null> {
    return this.#run((accounts) => accounts.keyById(id));
  }

  listKeys(): Promise<KeyRecord[]> {
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

  usageOf(callers: readonly string[], since: Date): Promise<EndpointCount[]> {
    return this.#run((accounts) => accounts.usageOf(callers, since));
  }

  /** May take longer than a request waits: it deletes up to a day of all callers. */
  async purgeUsage(before: Date): Promise<number> {
    if (!this.presence.here) throw new EngineAwayError('the database is away');
    return this.#thorough.purgeUsage(before);
  }

  async close(): Promise<void> {
    this.presence.close();
    await Promise.all([this.#probe.destroy(), this.#quick.close(), this.#thorough.close()]);
  }

  #run<T>(work: (accounts: KyselyAccounts) => Promise<T>): Promise<T> {
    return this.presence.attempt(() => work(this.#quick), isAnswerOfDatabase);
  }

  async #check(): Promise<void> {
    await this.migrate();
    await sql`select 1`.execute(this.#probe);
  }
}

/** Of all replicas that start at once, one migrates; a holder that vanished is not waited for. */
async function oneAtATime(db: Kysely<AccountsTables>): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = 30000`.execute(db);
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(db);
}
