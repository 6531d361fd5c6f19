import { closeSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** How long one process waits for another to open a file. */
const OPEN_WITHIN_MS = 10_000;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;
const OWNER_ONLY = 0o600;

export interface EmbeddedOptions {
  /** How long a write waits for that of another process; nothing else happens in this one meanwhile. */
  waitMs: number;
  /** `off`: lives through the end of the process, not of the machine; `full`: what is written is on the disk. */
  synchronous: 'off' | 'normal' | 'full';
  /** Bytes; small where single rows are written often. */
  pageSize: number;
  /** Statements that make what is missing. */
  schema: string;
  /** A damaged file is replaced by an empty one instead of refused. */
  disposable: boolean;
}

/**
 * Opens a database file that the processes of one machine share (SQLite, write-ahead log), or `:memory:`. They open it one
 * after the other: switching to the log and replacing a damaged file bear no company.
 */
export function openEmbedded(file: string, options: EmbeddedOptions): DatabaseSync {
  if (file === ':memory:') return open(file, options);
  const lock = new DatabaseSync(`${file}.lock`, { timeout: OPEN_WITHIN_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return open(file, options);
  } catch (error) {
    if (!options.disposable || !isDamage(error)) throw error;
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
    return open(file, options);
  } finally {
    lock.close();
  }
}

function open(file: string, { waitMs, synchronous, pageSize, schema, disposable }: EmbeddedOptions): DatabaseSync {
  // SQLite gives its other files the mode of this one.
  if (file !== ':memory:') closeSync(openSync(file, 'a', OWNER_ONLY));
  const db = new DatabaseSync(file, { timeout: waitMs });
  try {
    db.exec(`PRAGMA page_size=${pageSize}; PRAGMA journal_mode=WAL; PRAGMA synchronous=${synchronous}; ${schema}`);
    if (disposable && file !== ':memory:') checkWhole(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function checkWhole(db: DatabaseSync): void {
  const { quick_check: found } = db.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  if (found !== 'ok') throw Object.assign(new Error(found), { errcode: CORRUPT });
}

function isDamage(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  // Extended codes carry more in their upper bytes.
  return errcode !== undefined && [CORRUPT, NOT_A_DATABASE].includes(errcode & 0xff);
}
