import { join } from 'node:path';
import { Catalog } from '../../catalog/catalog.ts';
import { wrongChecksum } from '../../catalog/checked-file.ts';
import { hashFile, readHead, UnusableFileError } from '../../catalog/database-file.ts';
import { type Generation, readCurrent, unusedFiles } from '../../catalog/generation.ts';
import type { Config } from '../../config.ts';
import type { Operation } from '../../engine/operation.ts';
import { run } from '../../engine/runner.ts';
import { status } from '../../operations/service/status.ts';
import { catalogFolder } from '../../server/services.ts';
import { describeSystemError, isSqliteDamage, remedyFor } from '../../system-error.ts';
import { withServices } from '../ask.ts';
import { ageInWords } from '../text.ts';
import { counted } from '../../engine/summary.ts';
import { type Finding, note, ok, wrong } from './finding.ts';

type SourceStatus = ReturnType<typeof status.output.parse>['data_sources'][string];

const RESYNC = 'sextant sync';
const RECOVER = 'the next start goes back to the newest catalog that is whole; then sextant sync';

/**
 * Whether there is a catalog, whether its file is what it was when it was finished (it is read whole), and how each of its sources is.
 * Changes nothing.
 */
export async function checkCatalog(config: Config): Promise<Finding[]> {
  const folder = catalogFolder(config);
  const found = examineFile(folder);
  if ('finding' in found) return [found.finding, ...unusedIn(folder)];
  const answer = await withServices(config, (services) =>
    run(status as unknown as Operation, {}, services, { callerGone: () => new AbortController().signal }),
  );
  const { catalog, data_sources } = status.output.parse(answer);
  const synced = Object.entries(data_sources).filter(([id, { kind }]) => kind === 'synced' && id !== 'starter');
  return [
    overall(found.generation, catalog),
    // Before the first sync nothing is loaded, and nothing is wrong with that. After one, what failed is.
    ...synced
      .filter(([, { last_error }]) => catalog !== 'starter' || last_error !== null)
      .map(([id, source]) => findingOf(id, source)),
    ...unusedIn(folder),
  ];
}

function examineFile(folder: string): { finding: Finding } | { generation: Generation } {
  let generation: Generation | null;
  try {
    generation = readCurrent(folder);
    if (generation === null) {
      return {
        finding: note('catalog', 'none yet: the first command or start makes the small starter catalog', RESYNC),
      };
    }
  } catch (error) {
    return { finding: wrong('catalog', describeSystemError(error), remedyFor(error) ?? RECOVER) };
  }
  const { created_at, file, sha256 } = generation;
  try {
    readHead(join(folder, file));
    if (sha256 !== undefined && hashFile(join(folder, file)) !== sha256) throw wrongChecksum();
    new Catalog(folder, generation).close();
    return { generation };
  } catch (error) {
    if (error instanceof UnusableFileError || isSqliteDamage(error)) {
      const how = error instanceof UnusableFileError ? error.message : 'is damaged';
      return { finding: wrong('catalog', `the catalog of ${created_at} ${how}`, RECOVER) };
    }
    return { finding: wrong('catalog', `${file}: ${describeSystemError(error)}`, remedyFor(error)) };
  }
}

function overall({ recovered }: Generation, catalog: 'starter' | 'partial' | 'synced'): Finding {
  if (recovered !== undefined) return wrong('catalog', recovered, RESYNC);
  if (catalog === 'starter') return note('catalog', 'only the small starter catalog', RESYNC);
  return ok('catalog', catalog === 'synced' ? 'every feed is loaded' : 'some feeds are not loaded');
}

/** Files that are kept because they are damaged or of another version. */
function unusedIn(folder: string): Finding[] {
  return existingIn(folder).map((file) =>
    note(
      'catalog',
      `${file} is kept, and not used: damaged, or of another version`,
      'remove it when you do not need it',
    ),
  );
}

function existingIn(folder: string): string[] {
  try {
    return unusedFiles(folder);
  } catch {
    return [];
  }
}

function findingOf(id: string, source: SourceStatus): Finding {
  const check = `feed ${id}`;
  const age = source.age_seconds === null ? '' : `, ${ageInWords(source.age_seconds)} old`;
  const detail = `${counted(source.records ?? 0, 'record')}${age}`;
  const resync = `${RESYNC} ${id}`;
  switch (source.status) {
    case 'error':
      return wrong(check, `${detail}; the last sync failed: ${source.last_error}`, resync);
    case 'stale':
      return wrong(check, `${detail}: older than it should be`, resync);
    case 'empty':
      return note(check, 'not loaded', resync);
    default:
      return ok(check, detail);
  }
}
