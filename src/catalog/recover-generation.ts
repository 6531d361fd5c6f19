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
import { passesQuickCheck } from './schema.ts';

export interface RecoveryResult {
  /** Null if no database in the folder can be used. */
  generation: Generation | null;
  /** What was wrong with the current generation; null if nothing was, or if there was none. */
  problem: string | null;
}

/**
 * The current generation, or, if that cannot be used, the newest undamaged one, which is then published as the current one.
 * Damaged files are quarantined (renamed); a database of another schema version stays as it is. The caller holds the lock.
 * Errors of the operating system are thrown before anything is changed.
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
  /** `file`: the database that cannot be used; `damaged`: the file to quarantine. */
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
  const error = findUsabilityError(folder, current);
  if (error === null) return { generation: current };
  return {
    problem: `the catalog of ${created_at} ${error.message}`,
    file,
    damaged: error.reason === 'damaged' ? file : null,
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
      const { recovered: _, ...undamaged } = generation;
      return undamaged;
    }
  }
  return null;
}

/** Why a generation cannot be used; null if it can. */
function findUsabilityError(folder: string, generation: Generation): UnusableFileError | null {
  try {
    if (generation.sha256 === undefined) verifyStructure(join(folder, generation.file));
    else verifyFile(folder, generation);
    new Catalog(folder, generation).close();
    return null;
  } catch (error) {
    if (error instanceof UnusableFileError) return error;
    if (isSqliteDamage(error)) return new UnusableFileError('damaged', 'is damaged');
    throw error;
  }
}

/** For a database without a known checksum. */
function verifyStructure(path: string): void {
  inspectDatabaseFile(path);
  using db = new DatabaseSync(path, { readOnly: true });
  if (!passesQuickCheck(db)) throw new UnusableFileError('damaged', 'is damaged');
}
