import type { ColumnType, Kysely } from 'kysely';

/** Milliseconds since 1970. The driver of PostgreSQL returns big integers as text. */
export type EpochMs = ColumnType<number | string, number, number>;

/** Creates or changes tables. A published migration never changes. */
export type Migration<Tables> = (db: Kysely<Tables>) => Promise<void>;

interface MigrationOptions<Tables> {
  /** The table, of one row, that counts the applied migrations. */
  versionTable: string;
  /** Applied once each, in this order. */
  migrations: readonly Migration<Tables>[];
  /** Lets only one process migrate at a time; runs first in the transaction. */
  lock: (db: Kysely<Tables>) => Promise<void>;
  /** The error for tables of a newer version of this service. */
  tooNew: () => Error;
}

/** Migrates tables to this version, in one transaction. */
export async function migrateTables<Tables>(
  db: Kysely<Tables>,
  { versionTable, migrations, lock, tooNew }: MigrationOptions<Tables>,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await lock(transaction);
    const versions = transaction as unknown as Kysely<Record<string, { version: number }>>;
    await transaction.schema
      .createTable(versionTable)
      .ifNotExists()
      .addColumn('version', 'integer', (column) => column.notNull())
      .execute();
    const found = await versions.selectFrom(versionTable).select('version').executeTakeFirst();
    const version = found?.version ?? 0;
    if (version > migrations.length) throw tooNew();
    for (const migration of migrations.slice(version)) await migration(transaction);
    if (version === migrations.length) return;
    const now = { version: migrations.length };
    if (found === undefined) await versions.insertInto(versionTable).values(now).execute();
    else await versions.updateTable(versionTable).set(now).execute();
  });
}
