import type { WatchEvent } from '../../analysis/watch/watch.ts';
import { createRecordedView } from '../../engine/recorded-view.ts';
import type { Watch } from '../../engine/watch-book.ts';
import { ApiError } from '../../errors.ts';
import { readChangedCves } from './changed-cves.ts';
import { readRuns } from './change-runs.ts';
import { Judge } from './judge.ts';
import { searchesFor } from './match-changes.ts';
import { CveMatcher } from './match-cves.ts';
import type { MatchingDeps } from './matching-deps.ts';

/** Changes that are read at once. */
const PAGE_CHANGES = 2000;
const MAX_EVENTS = 10_000;

/**
 * The events of one watch for what was seen in a period (milliseconds since 1970, both inclusive), the oldest first, as
 * if nothing had been told before: those that `matchChanges` made have the same ids. Throws 422 where there are more than 10,000.
 */
export async function matchPeriod(
  deps: MatchingDeps,
  watch: Watch,
  sinceMs: number,
  untilMs: number,
  signal: AbortSignal,
): Promise<WatchEvent[]> {
  const matcher = new CveMatcher(deps.store, signal, watch);
  const searches = watch.subject.kind === 'search' ? [watch] : [];
  const events: WatchEvent[] = [];
  for (let start = { after: 0, seenFrom: sinceMs }, hasMore = true; hasMore; ) {
    signal.throwIfAborted();
    const view = createRecordedView(deps);
    const page = readRuns(view.catalog, start, PAGE_CHANGES);
    const runs = page.runs.filter(({ seenAt }) => Date.parse(seenAt) <= untilMs);
    const found = await searchesFor(runs, deps, view, searches);
    const judge = new Judge(view, signal);
    const matches = await matcher.match(readChangedCves(runs, view.catalog, view.now), found, judge);
    for (const match of matches) events.push(...match.events);
    if (events.length > MAX_EVENTS)
      throw new ApiError('validation_error', `More than ${MAX_EVENTS} events: replay a shorter period.`);
    ({ hasMore } = page);
    start = { after: page.last, seenFrom: sinceMs };
  }
  return events.sort((a, b) => (a.seen_at < b.seen_at ? -1 : a.seen_at > b.seen_at ? 1 : 0));
}
