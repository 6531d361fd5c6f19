import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isSystemError } from '../system-error.ts';
import { checkFile, checksumOf, rememberChecked, wrongChecksum } from './checked-file.ts';
import { readHead, UnusableFileError } from './database-file.ts';
import { flush, replaceFile } from './replace-file.ts';

/**
 * A catalog is a row of generations: files that are written once and never changed, and `current.json`, which names the
 * one that answers and says of each source what was taken when. Replacing that small file is the only moment at which
 * anything changes for a reader, so new knowledge appears all at once, and a process killed anywhere leaves the old.
 */

export const SourceState = z.object({
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
export type SourceState = z.infer<typeof SourceState>;

export const Generation = z.object({
  file: z.string().regex(/^catalog-[\w.-]+\.db$/),
  created_at: z.string(),
  sources: z.record(z.string(), SourceState),
  /** Size and SHA-256 of the finished database, written by `publish`; catalogs of earlier versions have none. */
  bytes: z.number().int().optional(),
  sha256: z.string().optional(),
  /** A sentence, where this answers in place of a newer catalog that could not be used: what was wrong, and what answers now. */
  recovered: z.string().optional(),
});
export type Generation = z.infer<typeof Generation>;

export const POINTER = 'current.json';
const DATABASE = /^catalog-.*\.db$/;
const LEFT_OVER = /\.tmp$|^catalog-.*\.db-journal$/;
/** Beside each database: what `current.json` said of it, for the day on which that file or the newest database is lost. */
const DESCRIPTION = '.json';
const UNFINISHED = '.tmp';
const DAMAGED = '.damaged';

/** `current.json` is there and cannot be read: damaged, or of another program. */
export class DamagedPointerError extends Error {
  override readonly name = 'DamagedPointerError';
}

/** The generation that answers now; null before the first. Throws `DamagedPointerError`. */
export function readCurrent(folder: string): Generation | null {
  let text: string;
  try {
    text = readFileSync(join(folder, POINTER), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return Generation.parse(JSON.parse(text));
  } catch {
    throw new DamagedPointerError(`${POINTER} in the catalog folder is damaged`);
  }
}

/**
 * The current generation; null where there is no generation, or its database has changed since it was finished. What stands in the way of
 * looking (EACCES, EMFILE, EIO) says nothing about the database, and is thrown.
 */
export function usableGeneration(folder: string): Generation | null {
  try {
    const current = readCurrent(folder);
    if (current !== null) checkFile(folder, current);
    return current;
  } catch (error) {
    if (error instanceof DamagedPointerError || error instanceof UnusableFileError) return null;
    throw error;
  }
}

/** What was known of a database when it was published; null where that is not there or cannot be read. */
export function readDescription(folder: string, file: string): Generation | null {
  try {
    const described = Generation.parse(JSON.parse(readFileSync(join(folder, file + DESCRIPTION), 'utf8')));
    return described.file === file ? described : null;
  } catch (error) {
    if (isSystemError(error) && error.code !== 'ENOENT') throw error;
    return null;
  }
}

/** Names of finished databases, the newest first. */
export function databasesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => DATABASE.test(name))
    .toSorted()
    .toReversed();
}

export function pointerPath(folder: string): string {
  return join(folder, POINTER);
}

/**
 * A name for the next generation: the time `now`, or one millisecond after the newest name in the folder where that is later. So
 * names stand in the order in which generations were made, whatever the clock said. The caller holds the lock.
 */
export function newDatabaseName(folder: string, now: Date): string {
  const times = databasesIn(folder).map((name) => Date.parse(timeOfName(name) ?? ''));
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
  return join(folder, file + UNFINISHED);
}

/** Gives a database that is complete and closed its name. */
export function finishDatabase(folder: string, file: string): void {
  flush(unfinishedPath(folder, file));
  renameSync(unfinishedPath(folder, file), join(folder, file));
}

/**
 * Makes `generation` the one that answers, with the checksum of its database, which must be finished; it reaches the disk first. Gives it
 * as it was written. Throws `UnusableFileError` where the database is not the one that `generation` has a checksum of.
 */
export function publish(folder: string, generation: Generation): Generation {
  flush(join(folder, generation.file));
  const { bytes, sha256, stamp } = checksumOf(folder, generation.file);
  if (generation.sha256 !== undefined && generation.sha256 !== sha256) throw wrongChecksum();
  const published: Generation = { ...generation, bytes, sha256 };
  const text = JSON.stringify(published, null, 1);
  replaceFile(join(folder, generation.file + DESCRIPTION), text);
  replaceFile(join(folder, POINTER), text);
  flush(folder);
  rememberChecked(folder, generation.file, stamp, sha256);
  return published;
}

/** Removes what killed processes left. */
export function removeLeftOvers(folder: string): void {
  for (const name of readdirSync(folder)) if (LEFT_OVER.test(name)) remove(folder, name);
}

/**
 * Removes generations that nothing needs any more, and what killed processes left. Readers keep the file they have open. What this program
 * does not understand stays: a database of another schema (another version of the program may come back to it), or one that
 * cannot be opened.
 */
export function removeOthers(folder: string, keep: string | null): void {
  removeLeftOvers(folder);
  for (const name of databasesIn(folder)) if (name !== keep && isRemovable(join(folder, name))) remove(folder, name);
  for (const name of readdirSync(folder)) {
    const database = name.endsWith(`.db${DESCRIPTION}`) ? name.slice(0, -DESCRIPTION.length) : null;
    if (database !== null && !existsSync(join(folder, database))) remove(folder, name);
  }
}

/** Puts a file aside under a name that nothing takes for a catalog. One pointer and one database are kept so: what was put aside before goes. */
export function setAside(folder: string, file: string): void {
  if (!lstatSync(join(folder, file)).isFile()) return;
  const isPointer = file === POINTER;
  for (const name of readdirSync(folder)) {
    if (name.endsWith(DAMAGED) && name.startsWith(POINTER) === isPointer) remove(folder, name);
  }
  renameSync(join(folder, file), join(folder, file + DAMAGED));
}

/** What was put aside, and databases that cannot be opened here: kept, and used by nothing. */
export function unusedFiles(folder: string): string[] {
  return readdirSync(folder).filter(
    (name) => name.endsWith(DAMAGED) || (DATABASE.test(name) && !canBeOpened(join(folder, name))),
  );
}

function isRemovable(path: string): boolean {
  const stat = lstatSync(path);
  return stat.isFile() && (stat.size === 0 || canBeOpened(path));
}

function canBeOpened(path: string): boolean {
  try {
    readHead(path);
    return true;
  } catch {
    return false;
  }
}

function remove(folder: string, name: string): void {
  rmSync(join(folder, name), { force: true, maxRetries: 2 });
}
