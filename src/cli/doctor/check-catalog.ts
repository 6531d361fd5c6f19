import { join } from 'node:path';
import { Catalog } from '../../catalog/catalog.ts';
import { checksumMismatchError } from '../../catalog/verify-file.ts';
import { hashFile, inspectDatabaseFile, UnusableFileError } from '../../catalog/database-file.ts';
import { type Generation, listUnusedFiles, readCurrentGeneration } from '../../catalog/generation.ts';
import type { Config } from '../../config.ts';
import type { Operation } from '../../engine/operation.ts';
import { runOperation } from '../../engine/runner.ts';
import { status } from '../../operations/service/status.ts';
import { catalogFolderOf } from '../../server/runner-deps.ts';
import { describeSystemError, isSqliteDamage, remedyFor } from '../../system-error.ts';
import { withRunnerDeps } from '../with-runner-deps.ts';
import { formatAge, formatCount } from '../../engine/summary.ts';
import { type DoctorResult, noteResult, okResult, wrongResult } from './doctor-result.ts';

type SourceStatus = ReturnType<typeof status.output.parse>['data_sources'][string];

const SYNC_HINT = 'sextant sync';
const RECOVERY_HINT = 'the next start goes back to the newest catalog that is whole; then sextant sync';

/**
 * Checks that there is a catalog, that its file has the checksum of when it was finished (the whole file is read), and the state of each
 * feed. Changes nothing.
 */
export async function checkCatalog(config: Config): Promise<DoctorResult[]> {
  const folder = catalogFolderOf(config);
  const checked = checkCatalogFile(folder);
  if ('finding' in checked) return [checked.finding, ...unusedFileResults(folder)];
  const answer = await withRunnerDeps(config, (runnerDeps) =>
    runOperation(status as unknown as Operation, {}, runnerDeps, {
      disconnectSignal: () => new AbortController().signal,
    }),
  );
  const { catalog, data_sources } = status.output.parse(answer);
  const synced = Object.entries(data_sources).filter(([id, { kind }]) => kind === 'synced' && id !== 'starter');
  return [
    catalogResult(checked.generation, catalog),
    // Before the first sync no feed is loaded, which is not an error; a failed sync is.
    ...synced
      .filter(([, { last_error }]) => catalog !== 'starter' || last_error !== null)
      .map(([id, source]) => feedResult(id, source)),
    ...unusedFileResults(folder),
  ];
}

function checkCatalogFile(folder: string): { finding: DoctorResult } | { generation: Generation } {
  let generation: Generation | null;
  try {
    generation = readCurrentGeneration(folder);
    if (generation === null) {
      const detail = 'none yet: the first command or start makes the small starter catalog';
      return { finding: noteResult('catalog', detail, SYNC_HINT) };
    }
  } catch (error) {
    return { finding: wrongResult('catalog', describeSystemError(error), remedyFor(error) ?? RECOVERY_HINT) };
  }
  const { created_at, file, sha256 } = generation;
  try {
    inspectDatabaseFile(join(folder, file));
    if (sha256 !== undefined && hashFile(join(folder, file)) !== sha256) throw checksumMismatchError();
    new Catalog(folder, generation).close();
    return { generation };
  } catch (error) {
    if (error instanceof UnusableFileError || isSqliteDamage(error)) {
      const problem = error instanceof UnusableFileError ? error.message : 'is damaged';
      return { finding: wrongResult('catalog', `the catalog of ${created_at} ${problem}`, RECOVERY_HINT) };
    }
    return { finding: wrongResult('catalog', `${file}: ${describeSystemError(error)}`, remedyFor(error)) };
  }
}

function catalogResult({ recovered }: Generation, catalog: 'starter' | 'partial' | 'synced'): DoctorResult {
  if (recovered !== undefined) return wrongResult('catalog', recovered, SYNC_HINT);
  if (catalog === 'starter') return noteResult('catalog', 'only the small starter catalog', SYNC_HINT);
  return okResult('catalog', catalog === 'synced' ? 'every feed is loaded' : 'some feeds are not loaded');
}

/** Notes about catalog files that are kept although they are damaged or of another version. */
function unusedFileResults(folder: string): DoctorResult[] {
  let files: string[] = [];
  try {
    files = listUnusedFiles(folder);
  } catch {
    // The check of the data folder reports a folder that cannot be read.
  }
  const detail = 'is kept, and not used: damaged, or of another version';
  return files.map((file) => noteResult('catalog', `${file} ${detail}`, 'remove it when you do not need it'));
}

function feedResult(id: string, source: SourceStatus): DoctorResult {
  const check = `feed ${id}`;
  const age = source.age_seconds === null ? '' : `, ${formatAge(source.age_seconds)} old`;
  const detail = `${formatCount(source.records ?? 0, 'record')}${age}`;
  const resync = `${SYNC_HINT} ${id}`;
  switch (source.status) {
    case 'error':
      return wrongResult(check, `${detail}; the last sync failed: ${source.last_error}`, resync);
    case 'stale':
      return wrongResult(check, `${detail}: older than it should be`, resync);
    case 'empty':
      return noteResult(check, 'not loaded', resync);
    default:
      return okResult(check, detail);
  }
}
