import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isSystemError } from '../system-error.ts';
import { verifyFile, checksumOf, saveVerification, checksumMismatchError } from './verify-file.ts';
import { inspectDatabaseFile, UnusableFileError } from './database-file.ts';
import { fsyncPath, writeFileAtomically } from './atomic-write.ts';

/**
 * A catalog is a sequence of generations: database files that are written once and never changed. `current.json` (the pointer
 * file) names the current one and holds the state of each feed. Replacing that small file is the only change that a reader sees:
 * new data appears all at once, and a process that is killed at any moment leaves the old generation.
 */

export const FeedState = z.object({
  records: z.number().int(),
  /** The upstream's own time of its data; ISO 8601, as all times here. */
  data_time: z.string().nullable(),
  last_success_at: z.string().nullable(),
  last_attempt_at: z.string().nullable(),
  last_error: z.string().nullable(),
  /** True when read at the publisher's own address: its data is current. A mirror is only as current as its data time. */
  from_origin: z.boolean(),
  skipped: z.number().int(),
  /** Files of the upstream that could never be loaded: their records are missing here. */
  missing_files: z.array(z.string()),
  notes: z.record(z.string(), z.string()),
  files: z.record(
    z.string(),
    z.object({
      fingerprint: z.string().nullable(),
      validator: z.string().nullable(),
      records: z.number().int(),
      skipped: z.number().int(),
    }),
  ),
});
export type FeedState = z.infer<typeof FeedState>;

export const Generation = z.object({
  file: z.string().regex(/^catalog-[\w.-]+\.db$/),
  created_at: z.string(),
  sources: z.record(z.string(), FeedState),
  /** Size and SHA-256 of the finished database, set by `publishGeneration`; catalogs of earlier versions have none. */
  bytes: z.number().int().optional(),
  sha256: z.string().optional(),
  /** Set when this generation replaced one that could not be used: a sentence that says what was wrong and which one answers now. */
  recovered: z.string().optional(),
});
export type Generation = z.infer<typeof Generation>;

export const POINTER_FILE = 'current.json';
const DATABASE_NAME = /^catalog-.*\.db$/;
const LEFTOVER_NAME = /\.tmp$|^catalog-.*\.db-journal$/;
/** Each database has a copy of its `current.json` beside it, for recovery when that file or the newest database is lost. */
const DESCRIPTION_SUFFIX = '.json';
const UNFINISHED_SUFFIX = '.tmp';
const DAMAGED_SUFFIX = '.damaged';

/** `current.json` exists and cannot be parsed. */
export class DamagedPointerError extends Error {
  override readonly name = 'DamagedPointerError';
}

/** The current generation; null before the first. Throws `DamagedPointerError`. */
export function readCurrentGeneration(folder: string): Generation | null {
  let text: string;
  try {
    text = readFileSync(join(folder, POINTER_FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return Generation.parse(JSON.parse(text));
  } catch {
    throw new DamagedPointerError(`${POINTER_FILE} in the catalog folder is damaged`);
  }
}

/**
 * The current generation; null before the first one, or if its database has changed since it was finished. Errors of the operating
 * system (EACCES, EMFILE, EIO) say nothing about the database and are thrown.
 */
export function readUsableGeneration(folder: string): Generation | null {
  try {
    const current = readCurrentGeneration(folder);
    if (current !== null) verifyFile(folder, current);
    return current;
  } catch (error) {
    if (error instanceof DamagedPointerError || error instanceof UnusableFileError) return null;
    throw error;
  }
}

/** What was published about a database; null if that description is missing or cannot be parsed. */
export function readGenerationDescription(folder: string, file: string): Generation | null {
  try {
    const described = Generation.parse(JSON.parse(readFileSync(join(folder, file + DESCRIPTION_SUFFIX), 'utf8')));
    return described.file === file ? described : null;
  } catch (error) {
    if (isSystemError(error) && error.code !== 'ENOENT') throw error;
    return null;
  }
}

/** Names of finished databases, the newest first. Names sort by time: see `newDatabaseName`. */
export function listDatabaseFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => DATABASE_NAME.test(name))
    .toSorted()
    .toReversed();
}

/** A text that changes when `current.json` is replaced; empty while there is no such file. */
export function pointerStamp(folder: string): string {
  const stat = statSync(join(folder, POINTER_FILE), { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? '' : `${stat.ino}:${stat.mtimeNs}:${stat.size}`;
}

/**
 * A name for the next generation. It holds the time `now`, or one millisecond after the newest name if that is later: names
 * sort in the order in which generations were made, even if the clock was set back. The caller holds the lock.
 */
export function createDatabaseName(folder: string, now: Date): string {
  const times = listDatabaseFiles(folder).map((name) => Date.parse(timeOfName(name) ?? ''));
  const newest = Math.max(...times.filter((time) => !Number.isNaN(time)));
  const time = new Date(Math.max(now.getTime(), newest + 1));
  return `catalog-${time.toISOString().replace(/[-:.]/g, '')}-${randomBytes(3).toString('hex')}.db`;
}

/** The time in a name as `newDatabaseName` makes it, ISO 8601; null for any other name. */
export function timeOfName(file: string): string | null {
  const parts = /^catalog-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-/.exec(file);
  if (parts === null) return null;
  const [, year, month, day, hour, minute, second, millisecond] = parts;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`;
}

/** Where a database is written until it is finished: the suffix marks the leftovers of a killed process. */
export function unfinishedPath(folder: string, file: string): string {
  return join(folder, file + UNFINISHED_SUFFIX);
}

/** Renames a complete and closed database to its final name. */
export function finishDatabase(folder: string, file: string): void {
  fsyncPath(unfinishedPath(folder, file));
  renameSync(unfinishedPath(folder, file), join(folder, file));
}

/**
 * Makes `generation` the current one. Its finished database is flushed to the disk first. Gives the generation as written, with
 * size and checksum. Throws `UnusableFileError` if `generation` already has a checksum and the database does not match it.
 */
export function publishGeneration(folder: string, generation: Generation): Generation {
  fsyncPath(join(folder, generation.file));
  const { bytes, sha256, stamp } = checksumOf(folder, generation.file);
  if (generation.sha256 !== undefined && generation.sha256 !== sha256) throw checksumMismatchError();
  const published: Generation = { ...generation, bytes, sha256 };
  const text = JSON.stringify(published, null, 1);
  writeFileAtomically(join(folder, generation.file + DESCRIPTION_SUFFIX), text);
  writeFileAtomically(join(folder, POINTER_FILE), text);
  fsyncPath(folder);
  saveVerification(folder, generation.file, stamp, sha256);
  return published;
}

/** Removes temporary files of processes that were killed. */
export function removeLeftoverFiles(folder: string): void {
  for (const name of readdirSync(folder)) if (LEFTOVER_NAME.test(name)) removeFile(folder, name);
}

/**
 * Removes all generations but `keep`, and temporary files. Readers keep the file that they have open. Databases that this program
 * cannot read stay: those of another schema version, to which an operator may return, and those that cannot be opened.
 */
export function removeOldGenerations(folder: string, keep: string | null): void {
  removeLeftoverFiles(folder);
  for (const name of listDatabaseFiles(folder))
    if (name !== keep && isRemovable(join(folder, name))) removeFile(folder, name);
  for (const name of readdirSync(folder)) {
    const database = name.endsWith(`.db${DESCRIPTION_SUFFIX}`) ? name.slice(0, -DESCRIPTION_SUFFIX.length) : null;
    if (database !== null && !existsSync(join(folder, database))) removeFile(folder, name);
  }
}

/** Renames a damaged file so that it is never used. Only the last such pointer file and the last such database are kept. */
export function quarantineFile(folder: string, file: string): void {
  if (!lstatSync(join(folder, file)).isFile()) return;
  const isPointer = file === POINTER_FILE;
  for (const name of readdirSync(folder)) {
    if (name.endsWith(DAMAGED_SUFFIX) && name.startsWith(POINTER_FILE) === isPointer) removeFile(folder, name);
  }
  renameSync(join(folder, file), join(folder, file + DAMAGED_SUFFIX));
}

/** Files that are kept and not used: damaged files in quarantine, and databases that this program cannot read. */
export function listUnusedFiles(folder: string): string[] {
  return readdirSync(folder).filter(
    (name) => name.endsWith(DAMAGED_SUFFIX) || (DATABASE_NAME.test(name) && !isReadableDatabase(join(folder, name))),
  );
}

function isRemovable(path: string): boolean {
  const stat = lstatSync(path);
  return stat.isFile() && (stat.size === 0 || isReadableDatabase(path));
}

function isReadableDatabase(path: string): boolean {
  try {
    inspectDatabaseFile(path);
    return true;
  } catch {
    return false;
  }
}

function removeFile(folder: string, name: string): void {
  rmSync(join(folder, name), { force: true, maxRetries: 2 });
}
