import { Catalog } from '../../catalog/catalog.ts';
import { type Generation, pointerPath, readCurrent } from '../../catalog/generation.ts';
import type { Config } from '../../config.ts';
import type { Operation } from '../../operations/operation.ts';
import { run } from '../../operations/runner.ts';
import { status } from '../../operations/service/status.ts';
import { catalogFolder } from '../../services.ts';
import { withServices } from '../ask.ts';
import { ageInWords, counted } from '../text.ts';
import { type Finding, note, ok, wrong } from './finding.ts';

type SourceStatus = ReturnType<typeof status.output.parse>['data_sources'][string];

const RESYNC = 'sextant sync';

/** Whether there is a catalog, whether it opens, and how each of its sources is. */
export async function checkCatalog(config: Config): Promise<Finding[]> {
  const folder = catalogFolder(config);
  try {
    const generation = currentOf(folder);
    if (generation === null)
      return [note('catalog', 'none yet: the first command or start makes the small starter catalog', RESYNC)];
    new Catalog(folder, generation).close();
  } catch (error) {
    return [wrong('catalog', (error as Error).message, RESYNC)];
  }
  const answer = await withServices(config, (services) =>
    run(status as unknown as Operation, {}, services, { callerGone: () => new AbortController().signal }),
  );
  const { catalog, data_sources } = status.output.parse(answer);
  const overall =
    catalog === 'starter'
      ? note('catalog', 'only the small starter catalog', RESYNC)
      : ok('catalog', catalog === 'synced' ? 'every feed is loaded' : 'some feeds are not loaded');
  const synced = Object.entries(data_sources).filter(([id, { kind }]) => kind === 'synced' && id !== 'starter');
  return [overall, ...(catalog === 'starter' ? [] : synced.map(([id, source]) => findingOf(id, source)))];
}

function currentOf(folder: string): Generation | null {
  try {
    return readCurrent(folder);
  } catch {
    throw new Error(`${pointerPath(folder)} cannot be read: remove it and sync again`);
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
