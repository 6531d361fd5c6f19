import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { SCHEMA_VERSION } from './schema.ts';

/**
 * A finished catalog file, looked at from outside of SQLite, so that "it is damaged" and "it cannot be opened at this moment"
 * are never confused: errors of the operating system (EACCES, EIO, EMFILE) are thrown as they are.
 */
export class UnusableFileError extends Error {
  override readonly name = 'UnusableFileError';
  readonly reason: 'missing' | 'other_schema' | 'damaged';

  constructor(why: UnusableFileError['reason'], message: string) {
    super(message);
    this.reason = why;
  }
}

/** The database header: https://sqlite.org/fileformat2.html#the_database_header */
const HEADER_BYTES = 100;
const SQLITE_MAGIC = Buffer.from('SQLite format 3\0');
const HEADER_OFFSETS = { pageSize: 16, pageCount: 28, userVersion: 60 } as const;
const LARGEST_PAGE_BYTES = 65_536;

const CHUNK_BYTES = 1 << 20;
/** Hashed within a fraction of a millisecond: what happens between two of them hardly waits. */
const BACKGROUND_CHUNK_BYTES = 256 * 1024;

export interface DatabaseFileInfo {
  /** See `stampOf`. */
  stamp: string;
  bytes: number;
}

/**
 * Checks at small cost that a catalog file is there, is whole by its own header, and has the schema that is read here.
 * Throws `UnusableFileError`, and errors of the operating system.
 */
export function inspectDatabaseFile(path: string): DatabaseFileInfo {
  const stat = statFile(path);
  const bytes = Number(stat.size);
  const header = readDatabaseHeader(path);
  if (header === null) throw new UnusableFileError('damaged', bytes === 0 ? 'is empty' : 'is not a database');
  const { schema, size } = header;
  if (schema !== SCHEMA_VERSION) {
    throw new UnusableFileError('other_schema', `has schema ${schema}, this version reads ${SCHEMA_VERSION}`);
  }
  if (size !== bytes) throw new UnusableFileError('damaged', 'was cut off or grew after it was finished');
  return { stamp: stampFrom(stat), bytes };
}

/**
 * Changes with every change of the file, and when another takes its place. The file is not opened, which a slow disk may take long for.
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

/** Schema and size as a database header says; null where the bytes are not one. */
export function parseDatabaseHeader(header: Uint8Array): { schema: number; size: number } | null {
  const view = Buffer.from(header.buffer, header.byteOffset, header.byteLength);
  if (view.length < HEADER_BYTES || !view.subarray(0, SQLITE_MAGIC.length).equals(SQLITE_MAGIC)) return null;
  const told = view.readUInt16BE(HEADER_OFFSETS.pageSize);
  const pageSize = told === 1 ? LARGEST_PAGE_BYTES : told;
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

/** The same, while others go on working. Rejects when `signal` is aborted. */
export async function hashFileInBackground(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { signal, highWaterMark: BACKGROUND_CHUNK_BYTES })) {
    hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
}
