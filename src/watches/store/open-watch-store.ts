import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedTables } from '../../access/embedded-tables.ts';
import { loadOrCreateInstallationSecret } from '../../access/installation-secret.ts';
import { sqliteCode } from '../../system-error.ts';
import { ChannelCipher } from './channel-cipher.ts';
import { createWatchStore, type WatchStore } from './create-watch-store.ts';
import { migrateWatches, type WatchTables } from './watches-schema.ts';

/** Another process writes for longer than this one waits. */
const SQLITE_BUSY = 5;
/** Of the data folder. */
export const WATCHES_FILE = 'watches.db';

export interface WatchStoreSettings {
  readonly dataDir: string;
  readonly secret: string | null;
  /** PostgreSQL; null: SQLite in the data folder. */
  readonly databaseUrl: string | null;
}

/** Opens the watches of an installation, in PostgreSQL where one is configured. Throws where it cannot be reached. */
export async function openWatchStore(settings: WatchStoreSettings, now: () => Date): Promise<WatchStore> {
  const cipher = new ChannelCipher(loadOrCreateInstallationSecret(settings.dataDir, settings.secret));
  if (settings.databaseUrl !== null) {
    const { openPostgresWatches } = await import('../postgres/open-postgres-watches.ts');
    return openPostgresWatches(settings.databaseUrl, cipher, now);
  }
  mkdirSync(settings.dataDir, { recursive: true });
  const db = openEmbeddedTables<WatchTables>(join(settings.dataDir, WATCHES_FILE), 'full');
  // No lock is needed: each transaction begins as a writer.
  await migrateWatches(db, async () => {});
  // The deliveries themselves are the queue.
  const context = { db, cipher, now, enqueue: async () => {} };
  return createWatchStore(context, {
    isShared: false,
    isUnavailable: (error) => sqliteCode(error) === SQLITE_BUSY,
    close: () => db.destroy(),
  });
}
