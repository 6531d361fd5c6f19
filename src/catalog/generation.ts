import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isSystemError } from '../system-error.ts';
import { verifyFile, checksumOf, rememberVerified, checksumMismatchError } from './verify-file.ts';
import { inspectDatabaseFile, UnusableFileError } from './database-file.ts';
import { fsyncPath, writeFileAtomically } from './atomic-write.ts';

/**
 * A catalog is a row of generations: files that are written once and never changed, and `current.json`, which names the
 * one that answers and says of each source what was taken when. Replacing that small file is the only moment at which
 * anything changes for a reader, so new knowledge appears all at once, and a process killed anywhere leaves the old.
 */

export const FeedState = z.object({
  records: z.number().int(),
  /** The upstream's own time of its data. */
  data_time: z.string().nullable(),
  last_success_at: z.string().nullable(),
  last_attempt_at: z.string().nullable(),
  last_error: z.string().nullable(),
  /** True when read at the upstream's own address: what it serves now is current now. A copy is as old as its data. */
  from_origin: z.boolean(),
  skipped: z.number().int(),
  /** Files that the upstream has and that could never be taken: what is in them is missing here. */
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
  /** Size and SHA-256 of the finished database, written by `publish`; catalogs of earlier versions have none. */
  bytes: z.number().int().optional(),
  sha256: z.string().optional(),
  /** A sentence, where this answers in place of a newer catalog that could not be used: what was wrong, and what answers now. */
  recovered: z.string().optional(),
});
export type Generation = z.infer<typeof Generation>;

export const POINTER_FILE = 'current.json';
const DATABASE_NAME = /^catalog-.*\.db$/;
const LEFTOVER_NAME = /\.tmp$|^catalog-.*\.db-journal$/;
/** Beside each database: what `current.json` said of it, for the day on which that file or the newest database is lost. */
const DESCRIPTION_SUFFIX = '.json';
const UNFINISHED_SUFFIX = '.tmp';
const DAMAGED_SUFFIX = '.damaged';

/** `current.json` is there and cannot be read: damaged, or of another program. */
export class DamagedPointerError extends Error {
  override readonly name = 'DamagedPointerError';
}

/** The generation that answers now; null before the first. Throws `DamagedPointerError`. */
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
 * The current generation; null where there is no generation, or its database has changed since it was finished. What stands in the way of
 * looking (EACCES, EMFILE, EIO) says nothing about the database, and is thrown.
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

/** What was known of a database when it was published; null where that is not there or cannot be read. */
export function readGenerationDescription(folder: string, file: string): Generation | null {
  try {
    const described = Generation.parse(JSON.parse(readFileSync(join(folder, file + DESCRIPTION_SUFFIX), 'utf8')));
    return described.file === file ? described : null;
  } catch (error) {
    if (isSystemError(error) && error.code !== 'ENOENT') throw error;
    return null;
  }
}

/** Names of finished databases, the newest first. */
export function listDatabaseFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => DATABASE_NAME.test(name))
    .toSorted()
    .toReversed();
}

export function pointerPath(folder: string): string {
  return join(folder, POINTER_FILE);
}

/**
 * A name for the next generation: the time `now`, or one millisecond after the newest name in the folder where that is later. So
 * names stand in the order in which generations were made, whatever the clock said. The caller holds the lock.
 */
export function newDatabaseName(folder: string, now: Date): string {
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

/** Where a database is written until it is finished: what a killed process leaves is then told from what may be used. */
export function unfinishedPath(folder: string, file: string): string {
  return join(folder, file + UNFINISHED_SUFFIX);
}

/** Gives a database that is complete and closed its name. */
export function finishDatabase(folder: string, file: string): void {
  fsyncPath(unfinishedPath(folder, file));
  renameSync(unfinishedPath(folder, file), join(folder, file));
}

/**
 * Makes `generation` the one that answers, with the checksum of its database, which must be finished; it reaches the disk first. Gives it
 * as it was written. Throws `UnusableFileError` where the database is not the one that `generation` has a checksum of.
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
  rememberVerified(folder, generation.file, stamp, sha256);
  return published;
}

/** Removes what killed processes left. */
export function removeLeftoverFiles(folder: string): void {
  for (const name of readdirSync(folder)) if (LEFTOVER_NAME.test(name)) removeFile(folder, name);
}

/**
 * Removes generations that nothing needs any more, and what killed processes left. Readers keep the file they have open. What this program
 * does not understand stays: a database of another schema (another version of the program may come back to it), or one that
 * cannot be opened.
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

/** Puts a file aside under a name that nothing takes for a catalog. One pointer and one database are kept so: what was put aside before goes. */
export function quarantineFile(folder: string, file: string): void {
  if (!lstatSync(join(folder, file)).isFile()) return;
  const isPointer = file === POINTER_FILE;
  for (const name of readdirSync(folder)) {
    if (name.endsWith(DAMAGED_SUFFIX) && name.startsWith(POINTER_FILE) === isPointer) removeFile(folder, name);
  }
  renameSync(join(folder, file), join(folder, file + DAMAGED_SUFFIX));
}

/** What was put aside, and databases that cannot be opened here: kept, and used by nothing. */
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
