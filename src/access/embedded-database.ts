import { closeSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isSqliteDamage, SQLITE_CORRUPT } from '../system-error.ts';

/** How long one process waits for another to open a file. */
const OPEN_LOCK_TIMEOUT_MS = 10_000;
const OWNER_ONLY_MODE = 0o600;

export interface EmbeddedDatabaseOptions {
  /** The longest wait for a write of another process; it blocks the event loop of this one. */
  lockTimeoutMs: number;
  /** `off`: writes survive the end of the process, not a power failure; `full`: they survive both. */
  synchronous: 'off' | 'normal' | 'full';
  /** Bytes; small where single rows are written often. */
  pageSizeBytes: number;
  /** Statements that create missing tables. */
  schema: string;
  /** A damaged file is replaced by an empty one instead of refused. */
  recreateIfDamaged: boolean;
}

/**
 * Opens a database file that the processes of one machine share (SQLite, write-ahead log), or `:memory:`. One process at a time:
 * switching to WAL and replacing a damaged file are not safe concurrently.
 */
export function openEmbeddedDatabase(file: string, options: EmbeddedDatabaseOptions): DatabaseSync {
  if (file === ':memory:') return openFile(file, options);
  const lock = new DatabaseSync(`${file}.lock`, { timeout: OPEN_LOCK_TIMEOUT_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return openFile(file, options);
  } catch (error) {
    if (!options.recreateIfDamaged || !isSqliteDamage(error)) throw error;
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
    return openFile(file, options);
  } finally {
    lock.close();
  }
}

function openFile(
  file: string,
  { lockTimeoutMs, synchronous, pageSizeBytes, schema, recreateIfDamaged }: EmbeddedDatabaseOptions,
): DatabaseSync {
  // SQLite gives its other files (-wal, -shm) the mode of this one.
  if (file !== ':memory:') closeSync(openSync(file, 'a', OWNER_ONLY_MODE));
  const db = new DatabaseSync(file, { timeout: lockTimeoutMs });
  try {
    db.exec(`PRAGMA page_size=${pageSizeBytes}; PRAGMA journal_mode=WAL; PRAGMA synchronous=${synchronous}; ${schema}`);
    if (recreateIfDamaged && file !== ':memory:') verifyIntegrity(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function verifyIntegrity(db: DatabaseSync): void {
  const { quick_check: found } = db.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  if (found !== 'ok') throw Object.assign(new Error(found), { code: 'ERR_SQLITE_ERROR', errcode: SQLITE_CORRUPT });
}
