import { isoTime } from '../../analysis/iso-time.ts';
import type { CatalogView } from '../../catalog/catalog-view.ts';
import { createRecordedView, type RecordedView } from '../../engine/recorded-view.ts';
import type { Watch } from '../../engine/watch-book.ts';
import type { MatchCursor, WatchMatch } from '../store/watch-store.ts';
import { readChangedCves } from './changed-cves.ts';
import { type ChangeRun, readRuns } from './change-runs.ts';
import { Judge } from './judge.ts';
import { CveMatcher } from './match-cves.ts';
import type { MatchingDeps } from './matching-deps.ts';
import { evaluateSearches, type FoundBySearch } from './searches.ts';

/** What one call of `matchChanges` did. */
export interface MatchResult {
  changes: number;
  /** How often a watch was told something, counted once for each step. */
  watches: number;
  events: number;
  /** What was not seen, and why. */
  gaps: string[];
}

/** Changes that are read at once: searches are evaluated once for all of their CVEs. */
const STRETCH_CHANGES = 20_000;
/** Changes whose events are made and written at once: more while they concern few watches, fewer while they concern many. */
const FIRST_STEP = 2000;
const MIN_STEP = 50;
const MAX_STEP = 8000;
const EVENTS_OF_STEP = 40_000;

/**
 * Matches what changed since the cursor, to the end of what the catalog has. The first time it only notes where that is. Each step writes its
 * events and the cursor at once, so a process that is killed, and a second one beside it, lead to the same events.
 */
export async function matchChanges(deps: MatchingDeps, signal: AbortSignal): Promise<MatchResult> {
  const { store } = deps;
  const result: MatchResult = { changes: 0, watches: 0, events: 0, gaps: [] };
  for (;;) {
    signal.throwIfAborted();
    const cursor = await store.readCursor();
    const view = createRecordedView(deps);
    const { historyId, last } = view.catalog.history;
    if (cursor === null || (await store.countWatches()) === 0) {
      const end = { historyId, seq: last, seenAt: Math.max(cursor?.seenAt ?? 0, view.now.getTime()) };
      const isAtEnd = cursor?.historyId === historyId && cursor.seq === last;
      if (isAtEnd || (await store.commitMatches(cursor, end, []))) return result;
      continue;
    }
    const { start, gap } = startOf(cursor, view.catalog);
    if (gap !== null && !result.gaps.includes(gap)) result.gaps.push(gap);
    const stretch = readRuns(view.catalog, start, STRETCH_CHANGES);
    if (stretch.last === cursor.seq && gap === null) return result;
    const isDone = await new StretchMatcher(deps, view, cursor, result, signal).run(stretch);
    if (isDone && !stretch.hasMore) return result;
  }
}

/** Where matching goes on; by time where the numbers of the cursor say nothing about this catalog. */
function startOf(
  { historyId, seq, seenAt }: MatchCursor,
  { history }: Pick<CatalogView, 'history'>,
): { start: { after: number; seenFrom: number | null }; gap: string | null } {
  if (historyId === history.historyId && seq <= history.last)
    return { start: { after: seq, seenFrom: null }, gap: null };
  const start = { after: 0, seenFrom: seenAt + 1 };
  const since = [...history.reach.values()].sort().at(-1);
  const seen = `matching goes on with what was seen since ${isoTime(seenAt)}`;
  return {
    start,
    gap:
      historyId === history.historyId
        ? `the catalog is an older one than the changes that were matched: ${seen}`
        : `the catalog was built anew: ${seen}; what changed before its first sync${since === undefined ? '' : ` (${since})`} was not seen`,
  };
}

/** Matches the runs of one stretch, step by step. */
class StretchMatcher {
  readonly #deps: MatchingDeps;
  readonly #view: RecordedView;
  readonly #result: MatchResult;
  readonly #signal: AbortSignal;
  readonly #matcher: CveMatcher;
  readonly #judge: Judge;
  #cursor: MatchCursor;

  constructor(deps: MatchingDeps, view: RecordedView, cursor: MatchCursor, result: MatchResult, signal: AbortSignal) {
    this.#deps = deps;
    this.#view = view;
    this.#cursor = cursor;
    this.#result = result;
    this.#signal = signal;
    this.#matcher = new CveMatcher(deps.store, signal, null);
    this.#judge = new Judge(view, signal);
  }

  /** False: another process matched these changes. */
  async run({ runs, last }: ReturnType<typeof readRuns>): Promise<boolean> {
    const searches = await searchesFor(runs, this.#deps, this.#view, null);
    let step = FIRST_STEP;
    let first = 0;
    do {
      const end = endOfStep(runs, first, step);
      const matches = await this.#match(runs.slice(first, end), searches);
      if (!(await this.#commit(runs.slice(first, end), end === runs.length ? last : runs[end - 1]!.last, matches)))
        return false;
      const events = countEvents(matches);
      step = Math.min(MAX_STEP, Math.max(MIN_STEP, events > EVENTS_OF_STEP ? step / 2 : step * 2));
      first = end;
    } while (first < runs.length);
    return true;
  }

  #match(runs: readonly ChangeRun[], searches: FoundBySearch): Promise<WatchMatch[]> {
    return this.#matcher.match(readChangedCves(runs, this.#view.catalog, this.#view.now), searches, this.#judge);
  }

  async #commit(runs: readonly ChangeRun[], seq: number, matches: readonly WatchMatch[]): Promise<boolean> {
    this.#signal.throwIfAborted();
    const seenAt = runs.reduce((latest, run) => Math.max(latest, Date.parse(run.seenAt)), this.#cursor.seenAt);
    const next = { historyId: this.#view.catalog.history.historyId, seq, seenAt };
    if (!(await this.#deps.store.commitMatches(this.#cursor, next, matches))) return false;
    this.#cursor = next;
    for (const { changes } of runs) this.#result.changes += changes.length;
    this.#result.watches += matches.length;
    this.#result.events += countEvents(matches);
    return true;
  }
}

/** Watches of searches that find the CVEs of these runs. */
export function searchesFor(
  runs: readonly ChangeRun[],
  deps: MatchingDeps,
  { catalog, now }: RecordedView,
  watches: readonly Watch[] | null,
): Promise<FoundBySearch> {
  return evaluateSearches(new Set(runs.map(({ cveId }) => cveId)), deps, catalog, now, watches);
}

/** The number of runs that make a step of some `changes`, from `first` on; at least one where there is one. */
function endOfStep(runs: readonly ChangeRun[], first: number, changes: number): number {
  let end = first;
  for (let count = 0; end < runs.length && count < changes; end++) count += runs[end]!.changes.length;
  return end;
}

function countEvents(matches: readonly WatchMatch[]): number {
  return matches.reduce((count, { events }) => count + events.length, 0);
}
