import type { CatalogView } from '../../catalog/catalog-view.ts';
import type { ChangesQuery, RecordedChange } from '../../catalog/history/change-reader.ts';

/** Changes of one CVE that one file of a feed made, one after the other: what is told as one event. */
export interface ChangeRun {
  cveId: string;
  seenAt: string;
  changes: RecordedChange[];
  /** The `seq` of the last one. */
  last: number;
}

export interface RunsPage {
  runs: ChangeRun[];
  /** The `seq` after which the next page begins: never within a run. */
  last: number;
  hasMore: boolean;
}

/** A CVE does not have so many changes at once; a longer run is cut. */
const MAX_RUN = 100_000;

/** The next runs, of some `limit` changes. A read that starts at the end of a run gives the same runs, wherever pages end. */
export function readRuns(
  catalog: Pick<CatalogView, 'changes'>,
  start: Pick<ChangesQuery, 'after' | 'seenFrom'>,
  limit: number,
): RunsPage {
  const page = catalog.changes({ ...start, kinds: null, limit }, null);
  const runs = runsOf(page.changes);
  const { last, hasMore } = page;
  if (!hasMore || runs.length === 0) return { runs, last, hasMore };
  // The last run may go on.
  const whole = runs.slice(0, -1);
  if (whole.length > 0) return { runs: whole, last: whole.at(-1)!.last, hasMore };
  return limit < MAX_RUN ? readRuns(catalog, start, 2 * limit) : { runs, last, hasMore };
}

function runsOf(changes: readonly RecordedChange[]): ChangeRun[] {
  const runs: ChangeRun[] = [];
  for (const change of changes) {
    const run = runs.at(-1);
    const first = run?.changes[0];
    if (
      run !== undefined &&
      first !== undefined &&
      first.cve_id === change.cve_id &&
      first.source === change.source &&
      first.seen_at === change.seen_at
    ) {
      run.changes.push(change);
      run.last = change.seq;
    } else runs.push({ cveId: change.cve_id, seenAt: change.seen_at, changes: [change], last: change.seq });
  }
  return runs;
}
