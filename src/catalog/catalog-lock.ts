import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Locks a data folder for writing; null while another process holds the lock. It is an SQLite lock on a file of its own, so that
 * the operating system releases it when the process ends in any way.
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
    // The error of SQLite does not name the file.
    throw Object.assign(error as Error, { path });
  }
  const held = db;
  return { release: () => held.close() };
}
