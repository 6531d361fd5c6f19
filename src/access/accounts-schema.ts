import type { ColumnType, Kysely, Selectable } from 'kysely';
import { type EpochMs, type Migration, migrateTables } from './migrate-tables.ts';

export interface AccountsTables {
  api_key: {
    id: string;
    hash: string;
    order_id: string;
    created_at: EpochMs;
    expires_at: EpochMs;
    last_used_at: ColumnType<number | string | null, number | null, number>;
    revoked_at: ColumnType<number | string | null, number | null, number>;
  };
  usage: {
    caller: string;
    endpoint: string;
    minute: EpochMs;
    count: number;
  };
}

export type ApiKeyRow = Selectable<AccountsTables['api_key']>;
type Database = Kysely<AccountsTables>;

/** Applied once each, in this order. A published migration never changes. */
const MIGRATIONS: readonly Migration<AccountsTables>[] = [
  async (db) => {
    await db.schema
      .createTable('api_key')
      .addColumn('id', 'varchar(16)', (column) => column.primaryKey())
      .addColumn('hash', 'varchar(64)', (column) => column.notNull().unique())
      .addColumn('order_id', 'varchar(128)', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint')
      .addColumn('revoked_at', 'bigint')
      .execute();
    await db.schema
      .createTable('usage')
      .addColumn('caller', 'varchar(64)', (column) => column.notNull())
      .addColumn('endpoint', 'varchar(128)', (column) => column.notNull())
      .addColumn('minute', 'bigint', (column) => column.notNull())
      .addColumn('count', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('usage_of_minute', ['caller', 'endpoint', 'minute'])
      .execute();
    await db.schema.createIndex('usage_by_minute').on('usage').column('minute').execute();
  },
];

/** The tables were written by a newer version. */
export class AccountsTooNewError extends Error {
  override readonly name = 'AccountsTooNewError';

  constructor() {
    super('the accounts were written by a newer version of this service');
  }
}

/** Migrates the tables to this version, in one transaction. Throws `AccountsTooNewError`. */
export async function migrateAccounts(db: Database, lock: (db: Database) => Promise<void>): Promise<void> {
  const tooNew = (): Error => new AccountsTooNewError();
  await migrateTables(db, { versionTable: 'accounts_version', migrations: MIGRATIONS, lock, tooNew });
}
