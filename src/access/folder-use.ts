import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { sqliteCode } from '../system-error.ts';

const SQLITE_BUSY = 5;
const OWNER_ONLY_MODE = 0o600;
const RETRY_INTERVAL_MS = 20;
/** A process that has the file for itself gives it up within a tenth of a second, unless it was stopped. */
const MAX_WAIT_MS = 5000;

/**
 * Tells whether this process uses a file alone. A sole user holds an exclusive lock of SQLite on `<file>.sole`, the others shared ones;
 * the operating system releases the locks of a process that dies. A process that finds the file in use asks for it with
 * `<file>.wanted`, and the sole user, who looks for that file, shares.
 */
export class FolderUse {
  readonly #lock: DatabaseSync;
  readonly #wantedFile: string;
  #state: 'sole' | 'shared' | 'unknown' = 'unknown';

  private constructor(file: string) {
    const lockFile = `${file}.sole`;
    closeSync(openSync(lockFile, 'a', OWNER_ONLY_MODE));
    this.#lock = new DatabaseSync(lockFile, { timeout: 0 });
    this.#wantedFile = `${file}.wanted`;
  }

  /** Resolves when it is known whether `file` has other users, after `maxWaitMs` at the latest. */
  static async open(file: string, maxWaitMs = MAX_WAIT_MS): Promise<FolderUse> {
    const use = new FolderUse(file);
    const until = performance.now() + maxWaitMs;
    while (!use.#tryLock() && performance.now() < until) {
      closeSync(openSync(use.#wantedFile, 'a', OWNER_ONLY_MODE));
      await pause(RETRY_INTERVAL_MS);
    }
    return use;
  }

  /** False also where a sole user did not answer in time. */
  get isSole(): boolean {
    return this.#state === 'sole';
  }

  /** True where another process waits to use the file. */
  get isWanted(): boolean {
    return existsSync(this.#wantedFile);
  }

  /** Lets others use the file; for good, until `close`. */
  share(): void {
    this.#lock.exec('ROLLBACK');
    this.#state = 'unknown';
    this.#tryShare();
  }

  close(): void {
    this.#lock.close();
  }

  #tryLock(): boolean {
    if (succeedsUnlessBusy(() => this.#lock.exec('BEGIN EXCLUSIVE'))) {
      this.#state = 'sole';
      rmSync(this.#wantedFile, { force: true });
      return true;
    }
    return this.#tryShare();
  }

  /** A transaction that has read holds a shared lock until it ends. */
  #tryShare(): boolean {
    this.#lock.exec('BEGIN');
    const shares = succeedsUnlessBusy(() => this.#lock.prepare('SELECT count(*) FROM sqlite_schema').get());
    if (shares) this.#state = 'shared';
    else this.#lock.exec('ROLLBACK');
    return shares;
  }
}

function succeedsUnlessBusy(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (sqliteCode(error) !== SQLITE_BUSY) throw error;
    return false;
  }
}
