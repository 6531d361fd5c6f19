import { lockMigration } from '../../access/postgres/lock-migration.ts';
import { isServerAway, openPostgres } from '../../access/postgres/postgres-pool.ts';
import type { ChannelCipher } from '../store/channel-cipher.ts';
import { createWatchStore, type WatchStore } from '../store/create-watch-store.ts';
import { migrateWatches, type WatchTables } from '../store/watches-schema.ts';
import { BossQueue, BossWriter } from './boss-queue.ts';

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
  const writer = new BossWriter(url);
  const store = createWatchStore(
    { db, cipher, now, enqueue: (transaction, due) => writer.enqueue(transaction, due) },
    {
      isShared: true,
      isUnavailable: isServerAway,
      openQueue: (onProblem) => BossQueue.open(url, store.deliveries, now, onProblem),
      async close() {
        await writer.close();
        await db.destroy();
      },
    },
  );
  return store;
}
