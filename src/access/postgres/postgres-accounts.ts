import { type Kysely, sql } from 'kysely';
import type { Accounts, EndpointCount, KeyRecord, UsageRow } from '../accounts.ts';
import { KyselyAccounts } from '../accounts-kysely.ts';
import { type AccountsTables, NewerAccountsError } from '../accounts-tables.ts';
import { EngineAwayError } from '../counters.ts';
import { Presence } from '../presence.ts';
import { within } from '../within.ts';
import { isAnswerOfDatabase, openPostgres } from './pool.ts';

/** The longest that a request waits for PostgreSQL. */
export const DATABASE_WITHIN_MS = 1500;
/** For what requests wait for; and for migrations and purges, one at a time. Together at most five connections. */
const QUICK = { connections: 4, connectMs: 1000, statementMs: 1000 };
const THOROUGH = { connections: 1, connectMs: 1000, statementMs: 60_000 };
const CLOSE_WITHIN_MS = 2000;
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
  readonly #quick: KyselyAccounts;
  readonly #thorough: KyselyAccounts;
  #isMigrated = false;
  #refused: NewerAccountsError | null = null;

  constructor({ url, onProblem }: PostgresOptions) {
    this.#quick = new KyselyAccounts(openPostgres(url, QUICK), oneAtATime);
    this.#thorough = new KyselyAccounts(openPostgres(url, THOROUGH), oneAtATime);
    this.presence = new Presence({
      name: 'database',
      withinMs: DATABASE_WITHIN_MS,
      probe: () => this.#check(),
      onProblem,
    });
  }

  /** Waits until it was reached, at most that long. Throws only what waiting does not mend: tables of a newer version. */
  async start(withinMs: number): Promise<void> {
    await this.presence.started(withinMs);
    if (this.#refused !== null) throw this.#refused;
  }

  async migrate(): Promise<void> {
    if (this.#isMigrated) return;
    try {
      await this.#thorough.migrate();
    } catch (error) {
      if (error instanceof NewerAccountsError) this.#refused = error;
      if (error instanceof NewerAccountsError || isAnswerOfDatabase(error)) throw error;
      throw new EngineAwayError('the database is away', { cause: error });
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
    const closed = Promise.all([this.#quick.close(), this.#thorough.close()]);
    // A server that does not answer does not say goodbye either.
    await within(CLOSE_WITHIN_MS, closed).catch(() => {});
  }

  #run<T>(work: (accounts: KyselyAccounts) => Promise<T>): Promise<T> {
    return this.presence.attempt(() => work(this.#quick), isAnswerOfDatabase);
  }

  async #check(): Promise<void> {
    await this.migrate();
    // Changes no row, and yet fails on a server that only reads.
    await this.#quick.touchKeys([''], new Date(0));
  }
}

/** Of all replicas that start at once, one migrates; a holder that vanished is not waited for. */
async function oneAtATime(db: Kysely<AccountsTables>): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = 30000`.execute(db);
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(db);
}
