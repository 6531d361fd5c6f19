import { copyFileSync, constants as fsConstants, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hashFile } from '../database-file.ts';
import {
  finishDatabase,
  type Generation,
  createDatabaseName,
  removeLeftoverFiles,
  removeOldGenerations,
  unfinishedPath,
} from '../generation.ts';
import { carryHistory } from '../history/carry-history.ts';
import { createTables, SCHEMA_VERSION, readSchemaVersion } from '../schema.ts';
import { checksumMismatchError, clearVerification } from '../verify-file.ts';

/** The database of the next generation while it is written: a copy of the base generation, made when it is first needed. */
export class GenerationDraft {
  readonly #folder: string;
  readonly #base: Generation | null;
  #opened: { file: string; db: DatabaseSync } | null = null;

  /** `base` null: the new generation starts empty. */
  constructor(folder: string, base: Generation | null) {
    this.#folder = folder;
    this.#base = base;
  }

  /** Opens the database; the first call names it after the time `now`. Throws `UnusableFileError` where the base file is damaged. */
  open(now: Date): DatabaseSync {
    if (this.#opened !== null) return this.#opened.db;
    const file = createDatabaseName(this.#folder, now);
    const path = unfinishedPath(this.#folder, file);
    // The generation before the base was kept until now as a replacement for a damaged base.
    removeOldGenerations(this.#folder, this.#base?.file ?? null);
    if (this.#base !== null) copyVerifiedDatabase(this.#folder, this.#base, path);
    const db = new DatabaseSync(path);
    // No process reads this copy yet, and it is thrown away when the sync is killed: the journal need not survive a crash.
    db.exec(
      'PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768; PRAGMA temp_store = FILE',
    );
    if (readSchemaVersion(db) !== SCHEMA_VERSION) {
      createTables(db);
      carryHistory(this.#folder, db, now);
    }
    this.#opened = { file, db };
    return db;
  }

  /** Makes the last changes in one transaction and closes the database, which must be open. Gives the file's name. */
  finish(changeLast: (db: DatabaseSync) => void): string {
    const { file, db } = this.#opened!;
    db.exec('BEGIN');
    changeLast(db);
    db.exec('COMMIT');
    db.close();
    finishDatabase(this.#folder, file);
    return file;
  }

  discard(): void {
    if (this.#opened?.db.isOpen) this.#opened.db.close();
    removeLeftoverFiles(this.#folder);
  }
}

/** The copy is compared with the checksum: otherwise damage to the file would become part of the next generation and its checksum. */
function copyVerifiedDatabase(folder: string, { file, sha256 }: Generation, path: string): void {
  try {
    copyFileSync(join(folder, file), path, fsConstants.COPYFILE_FICLONE);
    if (sha256 === undefined || hashFile(path) === sha256) return;
    clearVerification(folder);
    throw checksumMismatchError();
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}
