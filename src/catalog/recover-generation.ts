import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isSqliteDamage } from '../system-error.ts';
import { Catalog } from './catalog.ts';
import { verifyFile } from './verify-file.ts';
import { inspectDatabaseFile, UnusableFileError } from './database-file.ts';
import {
  DamagedPointerError,
  listDatabaseFiles,
  type Generation,
  POINTER_FILE,
  publishGeneration,
  readCurrentGeneration,
  readGenerationDescription,
  quarantineFile,
  timeOfName,
} from './generation.ts';

export interface RecoveryResult {
  /** Null where no database in the folder can be used. */
  generation: Generation | null;
  /** What was wrong with the current one; null where nothing was, or where there never was one. */
  problem: string | null;
}

/**
 * The generation to go on from: the current one, or, where that cannot be used, the newest that is whole, which is published in its place.
 * What is damaged is put aside; a database of another schema stays as it is. The caller holds the lock. Errors of the
 * operating system are thrown: then nothing was changed.
 */
export function recoverGeneration(folder: string): RecoveryResult {
  const found = examineCurrent(folder);
  if ('generation' in found) return { generation: found.generation, problem: null };
  const newest = newestUsable(folder, found.file);
  if (found.damaged !== null) quarantineFile(folder, found.damaged);
  const { problem } = found;
  if (newest === null) return { generation: null, problem };
  const recovered = `${problem ?? `${POINTER_FILE} is gone`}: the catalog of ${newest.created_at} answers`;
  return { generation: publishGeneration(folder, { ...newest, recovered }), problem };
}

type CurrentExamination =
  | { generation: Generation }
  /** `file`: the database that is no candidate; `damaged`: what is to be put aside. */
  | { problem: string | null; file: string | null; damaged: string | null };

function examineCurrent(folder: string): CurrentExamination {
  let current: Generation | null;
  try {
    current = readCurrentGeneration(folder);
  } catch (error) {
    if (!(error instanceof DamagedPointerError)) throw error;
    return { problem: `${POINTER_FILE} is damaged`, file: null, damaged: POINTER_FILE };
  }
  if (current === null) return { problem: null, file: null, damaged: null };
  const { file, created_at } = current;
  const fault = findUsabilityError(folder, current);
  if (fault === null) return { generation: current };
  return {
    problem: `the catalog of ${created_at} ${fault.message}`,
    file,
    damaged: fault.reason === 'damaged' ? file : null,
  };
}

function newestUsable(folder: string, except: string | null): Generation | null {
  for (const file of listDatabaseFiles(folder)) {
    if (file === except) continue;
    const generation = readGenerationDescription(folder, file) ?? {
      file,
      created_at: timeOfName(file) ?? 'an unknown time',
      sources: {},
    };
    if (findUsabilityError(folder, generation) === null) {
      const { recovered: _, ...whole } = generation;
      return whole;
    }
  }
  return null;
}

/** Why a generation cannot answer; null where it can. */
function findUsabilityError(folder: string, generation: Generation): UnusableFileError | null {
  try {
    if (generation.sha256 === undefined) checkStructure(join(folder, generation.file));
    else verifyFile(folder, generation);
    new Catalog(folder, generation).close();
    return null;
  } catch (error) {
    if (error instanceof UnusableFileError) return error;
    if (isSqliteDamage(error)) return new UnusableFileError('damaged', 'is damaged');
    throw error;
  }
}

/** In the place of a checksum, for a database that has none. */
function checkStructure(path: string): void {
  inspectDatabaseFile(path);
  using db = new DatabaseSync(path, { readOnly: true });
  const [first] = db.prepare('PRAGMA quick_check(1)').all();
  if (first?.quick_check !== 'ok') throw new UnusableFileError('damaged', 'is damaged');
}
