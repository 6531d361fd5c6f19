import { closeSync, fstatSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { notReadyError } from '../errors.ts';
import { sqliteCode } from '../system-error.ts';
import { otherSchemaError } from './database-file.ts';
import { SCHEMA_VERSION, readSchemaVersion } from './schema.ts';

const CACHE_KIB = 8 * 1024;

/**
 * The database of a finished catalog, for reading. The file is not mapped into memory: if a mapped file is truncated, the process
 * ends (SIGBUS), while a read only fails. If `onReadError` is set, it gets the error of a read that failed, and the caller gets
 * an `ApiError` with status 503.
 */
export class CatalogDatabase extends DatabaseSync {
  onReadError: ((error: Error) => void) | null = null;
  readonly #fileDescriptor: number;
  readonly #stampAtOpen: string;

  constructor(path: string) {
    const file = openSync(path, 'r');
    try {
      // A published generation never changes, so SQLite needs no locks: they would take most of the time of a small read.
      const url = pathToFileURL(path);
      url.searchParams.set('immutable', '1');
      super(url, { readOnly: true });
    } catch (error) {
      closeSync(file);
      throw error;
    }
    this.#fileDescriptor = file;
    this.#stampAtOpen = this.#fileStamp();
    try {
      const version = readSchemaVersion(this);
      if (version !== SCHEMA_VERSION) throw otherSchemaError(version);
      this.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Takes some microseconds: see `CatalogHandle.current`. */
  get isOpenFileUnmodified(): boolean {
    return !this.isOpen || this.#fileStamp() === this.#stampAtOpen;
  }

  override prepare(sql: string): StatementSync {
    const statement = super.prepare(sql);
    for (const method of ['get', 'all'] as const) {
      const read = statement[method] as (...values: never[]) => never;
      statement[method] = (...values: never[]) => {
        try {
          return read.apply(statement, values);
        } catch (error) {
          throw this.#readError(error);
        }
      };
    }
    return statement;
  }

  override close(): void {
    if (!this.isOpen) return;
    super.close();
    closeSync(this.#fileDescriptor);
  }

  #fileStamp(): string {
    const { size, mtimeMs } = fstatSync(this.#fileDescriptor);
    return `${size} ${mtimeMs}`;
  }

  /** What a caller gets for an error of a read. */
  #readError(error: unknown): unknown {
    if (this.onReadError === null || sqliteCode(error) === null) return error;
    this.onReadError(error as Error);
    return notReadyError('The catalog could not be read.');
  }
}
