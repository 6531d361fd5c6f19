import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * One sync at a time in a data folder. The lock is SQLite's on a file of its own: the operating system lets go of it when
 * the holder dies, however it dies. Null when somebody else holds it.
 */
export function tryLockCatalog(folder: string): { release(): void } | null {
  const path = join(folder, 'sync.lock');
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path, { timeout: 0 });
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db?.close();
    if (/locked|busy/i.test((error as Error).message)) return null;
    // SQLite does not say which file it means.
    throw Object.assign(error as Error, { path });
  }
  const held = db;
  return { release: () => held.close() };
}
