import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Kysely, type SqliteDatabase, SqliteDialect } from 'kysely';
import type { Accounts } from './accounts.ts';
import { KyselyAccounts } from './kysely-accounts.ts';
import type { AccountsTables } from './accounts-schema.ts';
import { openEmbeddedDatabase } from './embedded-database.ts';

const LOCK_TIMEOUT_MS = 5000;
const PAGE_BYTES = 4096;

/**
 * Accounts in the data folder (SQLite), shared by the processes of one machine. `full`: what was confirmed lives through a
 * power failure; `normal`: through the end of the process, which costs the service no wait for the disk.
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
  // A transaction begins as a writer (below): that is the lock.
  return new KyselyAccounts(new Kysely<AccountsTables>({ dialect }), async () => {});
}

/** Kysely's dialect is made for another driver of SQLite; this is as much of that as it uses. */
function toKyselyDatabase(db: DatabaseSync): SqliteDatabase {
  return {
    close: () => db.close(),
    prepare(sql) {
      // A reader cannot always become a writer; one that begins as a writer waits its turn.
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
