import { closeSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** How long one process waits for another to open a file. */
const OPEN_LOCK_TIMEOUT_MS = 10_000;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
const OWNER_ONLY_MODE = 0o600;

export interface EmbeddedDatabaseOptions {
  /** How long a write waits for that of another process; nothing else happens in this one meanwhile. */
  lockTimeoutMs: number;
  /** `off`: lives through the end of the process, not of the machine; `full`: what is written is on the disk. */
  synchronous: 'off' | 'normal' | 'full';
  /** Bytes; small where single rows are written often. */
  pageSizeBytes: number;
  /** Statements that make what is missing. */
  schema: string;
  /** A damaged file is replaced by an empty one instead of refused. */
  recreateIfDamaged: boolean;
}

/**
 * Opens a database file that the processes of one machine share (SQLite, write-ahead log), or `:memory:`. They open it one
 * after the other: switching to the log and replacing a damaged file bear no company.
 */
export function openEmbeddedDatabase(file: string, options: EmbeddedDatabaseOptions): DatabaseSync {
  if (file === ':memory:') return openFile(file, options);
  const lock = new DatabaseSync(`${file}.lock`, { timeout: OPEN_LOCK_TIMEOUT_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return openFile(file, options);
  } catch (error) {
    if (!options.recreateIfDamaged || !isDamage(error)) throw error;
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
  // SQLite gives its other files the mode of this one.
  if (file !== ':memory:') closeSync(openSync(file, 'a', OWNER_ONLY_MODE));
  const db = new DatabaseSync(file, { timeout: lockTimeoutMs });
  try {
    db.exec(`PRAGMA page_size=${pageSizeBytes}; PRAGMA journal_mode=WAL; PRAGMA synchronous=${synchronous}; ${schema}`);
    if (recreateIfDamaged && file !== ':memory:') checkIntegrity(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function checkIntegrity(db: DatabaseSync): void {
  const { quick_check: found } = db.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  if (found !== 'ok') throw Object.assign(new Error(found), { errcode: SQLITE_CORRUPT });
}

function isDamage(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  // Extended codes carry more in their upper bytes.
  return errcode !== undefined && [SQLITE_CORRUPT, SQLITE_NOTADB].includes(errcode & 0xff);
}
