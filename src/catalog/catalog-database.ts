import { closeSync, fstatSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { notReadyError } from '../errors.ts';
import { sqliteCode } from '../system-error.ts';
import { UnusableFileError } from './database-file.ts';
import { SCHEMA_VERSION, schemaVersion } from './schema.ts';

const CACHE_KIB = 32 * 1024;

/**
 * The database of a finished catalog, for reading. It is not mapped into memory: a mapped file that somebody cuts off ends the process
 * (SIGBUS), a read of it is an error. Where `onReadError` is set, a read that fails is told to it and thrown as a `ApiError` 503.
 */
export class CatalogDatabase extends DatabaseSync {
  onReadError: ((error: Error) => void) | null = null;
  readonly #fileDescriptor: number;
  readonly #stampAtOpen: string;

  constructor(path: string) {
    const file = openSync(path, 'r');
    try {
      // A generation never changes once it is published: SQLite need not look for locks, which is most of a small read.
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
      const version = schemaVersion(this);
      if (version !== SCHEMA_VERSION) {
        throw new UnusableFileError('other_schema', `has schema ${version}, this version reads ${SCHEMA_VERSION}`);
      }
      this.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** A microsecond: asked before every question. */
  get isFileUnchanged(): boolean {
    return !this.isOpen || this.#fileStamp() === this.#stampAtOpen;
  }

  override prepare(sql: string): StatementSync {
    const statement = super.prepare(sql);
    for (const way of ['get', 'all'] as const) {
      const read = statement[way] as (...values: never[]) => never;
      statement[way] = (...values: never[]) => this.#withErrorReport(() => read.apply(statement, values));
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

  #withErrorReport<Row>(read: () => Row): Row {
    try {
      return read();
    } catch (error) {
      if (this.onReadError === null || sqliteCode(error) === null) throw error;
      this.onReadError(error as Error);
      throw notReadyError('The catalog could not be read.');
    }
  }
}
