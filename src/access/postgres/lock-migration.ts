import { type Kysely, sql } from 'kysely';

/** Id of the advisory lock for migrations: "sxt" in ASCII. */
const MIGRATION_LOCK_ID = 0x737874;

/** Only one of the replicas that start together migrates; the server ends the transaction of a lock holder that was lost. */
export async function lockMigration<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = 30000`.execute(db);
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK_ID)})`.execute(db);
}
