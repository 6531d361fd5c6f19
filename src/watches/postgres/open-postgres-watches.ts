import { lockMigration } from '../../access/postgres/lock-migration.ts';
import { isStatementError, openPostgres } from '../../access/postgres/postgres-pool.ts';
import type { ChannelCipher } from '../store/channel-cipher.ts';
import { createWatchStore, type WatchStore } from '../store/create-watch-store.ts';
import { migrateWatches, type WatchTables } from '../store/watches-schema.ts';

/** One commit may write the events of a day's changes. */
const POOL = { maxConnections: 4, connectTimeoutMs: 1000, statementTimeoutMs: 30_000 };

/** Watches in PostgreSQL. Throws where it cannot be reached. */
export async function openPostgresWatches(url: string, cipher: ChannelCipher, now: () => Date): Promise<WatchStore> {
  const db = openPostgres<WatchTables>(url, POOL);
  try {
    await migrateWatches(db, lockMigration);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const context = { db, cipher, now, enqueue: async () => {} };
  return createWatchStore(context, { isUnavailable: (error) => !isStatementError(error), close: () => db.destroy() });
}
