import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { SCHEMA_VERSION } from './schema.ts';

/**
 * A catalog file is missing, damaged, or of another schema version. This module reads the file without SQLite, so that damage is
 * not confused with a file that cannot be opened now: errors of the operating system (EACCES, EIO, EMFILE) are thrown as they are.
 */
export class UnusableFileError extends Error {
  override readonly name = 'UnusableFileError';
  readonly reason: 'missing' | 'other_schema' | 'damaged';

  constructor(reason: UnusableFileError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The database header: https://sqlite.org/fileformat2.html#the_database_header */
const HEADER_BYTES = 100;
const SQLITE_MAGIC = Buffer.from('SQLite format 3\0');
const HEADER_OFFSETS = { pageSize: 16, pageCount: 28, userVersion: 60 } as const;
const LARGEST_PAGE_BYTES = 65_536;

const CHUNK_BYTES = 1 << 20;
/** Hashed in a fraction of a millisecond, so that other work of the event loop is hardly delayed. */
const BACKGROUND_CHUNK_BYTES = 256 * 1024;

export function otherSchemaError(schema: number): UnusableFileError {
  return new UnusableFileError('other_schema', `has schema ${schema}, this version reads ${SCHEMA_VERSION}`);
}

export interface DatabaseFileInfo {
  /** See `stampOf`. */
  stamp: string;
  bytes: number;
}

/**
 * Checks from its header alone that a catalog file exists, has its full size, and has the schema version of this program.
 * Throws `UnusableFileError`, and errors of the operating system.
 */
export function inspectDatabaseFile(path: string): DatabaseFileInfo {
  const stat = statFile(path);
  const bytes = Number(stat.size);
  const header = readDatabaseHeader(path);
  if (header === null) throw new UnusableFileError('damaged', bytes === 0 ? 'is empty' : 'is not a database');
  const { schema, size } = header;
  if (schema !== SCHEMA_VERSION) {
    throw otherSchemaError(schema);
  }
  if (size !== bytes) throw new UnusableFileError('damaged', 'was cut off or grew after it was finished');
  return { stamp: stampFrom(stat), bytes };
}

/**
 * A text that changes with every change of the file, and when another file takes its place. The file is not opened, which could
 * take long on a slow disk.
 * Throws `UnusableFileError`, and errors of the operating system.
 */
export function stampOf(path: string): string {
  return stampFrom(statFile(path));
}

function statFile(path: string): BigIntStats {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) throw new UnusableFileError('missing', 'is gone');
  if (!stat.isFile()) throw new UnusableFileError('damaged', 'is not a file');
  return stat;
}

function stampFrom({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

/** Schema version and size in bytes from a database header; null where the bytes are no such header. */
export function parseDatabaseHeader(header: Uint8Array): { schema: number; size: number } | null {
  const view = Buffer.from(header.buffer, header.byteOffset, header.byteLength);
  if (view.length < HEADER_BYTES || !view.subarray(0, SQLITE_MAGIC.length).equals(SQLITE_MAGIC)) return null;
  const storedPageSize = view.readUInt16BE(HEADER_OFFSETS.pageSize);
  const pageSize = storedPageSize === 1 ? LARGEST_PAGE_BYTES : storedPageSize;
  return {
    schema: view.readUInt32BE(HEADER_OFFSETS.userVersion),
    size: pageSize * view.readUInt32BE(HEADER_OFFSETS.pageCount),
  };
}

function readDatabaseHeader(path: string): { schema: number; size: number } | null {
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    return parseDatabaseHeader(header.subarray(0, readSync(file, header, 0, HEADER_BYTES, 0)));
  } finally {
    closeSync(file);
  }
}

/** SHA-256 of a file, in hex. */
export function hashFile(path: string): string {
  const hash = createHash('sha256');
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) hash.update(chunk.subarray(0, read));
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

/** SHA-256 of a file, in hex, without blocking the event loop. Rejects when `signal` is aborted. */
export async function hashFileInBackground(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { signal, highWaterMark: BACKGROUND_CHUNK_BYTES })) {
    hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
}
