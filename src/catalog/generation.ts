import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { SCHEMA_VERSION, schemaVersion } from './schema.ts';

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
});
export type Generation = z.infer<typeof Generation>;

const POINTER = 'current.json';
const DATABASE = /^catalog-.*\.db(?:-journal)?$/;

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
    throw new DamagedPointerError(`${POINTER} in the catalog folder is damaged: a sync or an import makes a new one`);
  }
}

/** The generation whose database this version can read; null where there is none: then a new one is made from nothing. */
export function usableGeneration(folder: string): Generation | null {
  try {
    const current = readCurrent(folder);
    return current !== null && isReadable(join(folder, current.file)) ? current : null;
  } catch (error) {
    if (error instanceof DamagedPointerError) return null;
    throw error;
  }
}

function isReadable(path: string): boolean {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return false;
  try {
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      return schemaVersion(db) === SCHEMA_VERSION;
    } finally {
      db.close();
    }
  } catch {
    return false;
  }
}

export function pointerPath(folder: string): string {
  return join(folder, POINTER);
}

/** A name no generation had before, ordered by time. */
export function newDatabaseName(now: Date): string {
  return `catalog-${now.toISOString().replace(/[-:.]/g, '')}-${randomBytes(3).toString('hex')}.db`;
}

/** Makes `generation` the one that answers. Its database must be complete and closed; it reaches the disk first. */
export function publish(folder: string, generation: Generation): void {
  flush(join(folder, generation.file));
  const temporary = join(folder, `${POINTER}.${randomBytes(3).toString('hex')}.tmp`);
  writeFileSync(temporary, JSON.stringify(generation, null, 1));
  flush(temporary);
  renameSync(temporary, join(folder, POINTER));
  flush(folder);
}

/** Removes what a killed sync left and generations that nothing names any more. Readers keep the file they have open. */
export function removeOthers(folder: string, keep: string | null): void {
  for (const name of readdirSync(folder)) {
    const stray = (DATABASE.test(name) && name !== keep) || name.endsWith('.tmp');
    if (stray) rmSync(join(folder, name), { force: true, maxRetries: 2 });
  }
}

function flush(path: string): void {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return;
  }
  try {
    fsyncSync(file);
  } catch {
    // A folder cannot be flushed on every platform.
  } finally {
    closeSync(file);
  }
}
