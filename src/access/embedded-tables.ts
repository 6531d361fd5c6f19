import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { Kysely, type SqliteDatabase, SqliteDialect } from 'kysely';
import { openEmbeddedDatabase } from './embedded-database.ts';

const LOCK_TIMEOUT_MS = 5000;
const PAGE_BYTES = 4096;

/**
 * Tables in a file of the data folder (SQLite), shared by the processes of one machine; a damaged file is refused. Each transaction begins
 * as a writer, so that one that reads first and writes then never fails half-way.
 */
export function openEmbeddedTables<Tables>(file: string, synchronous: 'normal' | 'full'): Kysely<Tables> {
  const db = openEmbeddedDatabase(file, {
    lockTimeoutMs: LOCK_TIMEOUT_MS,
    synchronous,
    pageSizeBytes: PAGE_BYTES,
    schema: '',
    recreateIfDamaged: false,
  });
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: toKyselyDatabase(db) }) });
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
