import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * One sync at a time in a data folder. The lock is SQLite's on a file of its own: the operating system lets go of it when
 * the holder dies, however it dies. Null when somebody else holds it.
 */
export function lockCatalog(folder: string): { release(): void } | null {
  const db = new DatabaseSync(join(folder, 'sync.lock'), { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (/locked|busy/i.test((error as Error).message)) return null;
    throw error;
  }
  return { release: () => db.close() };
}
