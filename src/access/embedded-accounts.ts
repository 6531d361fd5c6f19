import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Kysely, type SqliteDatabase, SqliteDialect } from 'kysely';
import type { Accounts } from './accounts.ts';
import { KyselyAccounts } from './kysely-accounts.ts';
import type { AccountsTables } from './accounts-schema.ts';
import { openEmbeddedDatabase } from './embedded-database.ts';

const LOCK_TIMEOUT_MS = 5000;
const PAGE_BYTES = 4096;

/**
 * Accounts in the data folder (SQLite), shared by the processes of one machine. `full`: committed writes survive a power failure;
 * `normal`: they survive the end of the process, without waiting for the disk.
 */
export function openEmbeddedAccounts(file: string, synchronous: 'normal' | 'full'): Accounts {
  const db = openEmbeddedDatabase(file, {
    lockTimeoutMs: LOCK_TIMEOUT_MS,
    synchronous,
    pageSizeBytes: PAGE_BYTES,
    schema: '',
    recreateIfDamaged: false,
  });
  const dialect = new SqliteDialect({ database: toKyselyDatabase(db) });
  // No lock is needed: each transaction begins as a writer (below).
  return new KyselyAccounts(new Kysely<AccountsTables>({ dialect }), async () => {});
}

/** Adapts `node:sqlite` to the driver (better-sqlite3) that Kysely's dialect expects. */
function toKyselyDatabase(db: DatabaseSync): SqliteDatabase {
  return {
    close: () => db.close(),
    prepare(sql) {
      // A transaction that begins as a writer waits for the lock; a reader cannot always become a writer.
      const statement = db.prepare(sql === 'begin' ? 'begin immediate' : sql);
      const values = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[];
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...values(parameters)),
        run: (parameters) => statement.run(...values(parameters)),
        iterate: (parameters) => statement.iterate(...values(parameters)),
      };
    },
  };
}
