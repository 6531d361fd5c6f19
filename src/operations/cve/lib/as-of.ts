import { isoDay } from '../../../analysis/iso-time.ts';
import type { CatalogView } from '../../../catalog/catalog-view.ts';
import type { Context } from '../../../engine/context.ts';
import { MAX_CHANGED_CVES, TooManyChangesError } from '../../../catalog/history/search-as-of.ts';
import { STARTER_FEEDS } from '../../../engine/evidence.ts';
import { validationError } from '../../../engine/input/parse-input.ts';
import type { ApiError } from '../../../errors.ts';
import type { FeedId } from '../../../feeds/feed.ts';
import { DayField } from './cve-filters.ts';

const RECORD_SOURCES = ['nvd', 'cvelist', 'ghsa'] as const;
const SCORE_SOURCES = ['kev', 'epss', 'exploitdb'] as const;
const DAY_MS = 86_400_000;
const FIRST_DAY = '1970-01-01';

export const asOfField = {
  as_of: DayField.optional().meta({ description: 'Day (UTC): as known at its end.', examples: ['2026-11-20'] }),
};

/** What an answer as of a day is made with: `now` is the end of the day. */
export type ContextAsOf = Pick<Context, 'catalog' | 'evidence' | 'now'>;

/**
 * The context for an answer about one CVE, as of a day; that of today without one. Throws 422 for a day that has not begun, and for one that
 * the history of a source with data on the CVE does not reach.
 */
export function contextOfCve(cveId: string, asOf: string | undefined, context: ContextAsOf): ContextAsOf {
  if (asOf === undefined) return context;
  const today = context.catalog.cve(cveId);
  return contextOf(asOf, [...(today?.record?.sources ?? []), ...SCORE_SOURCES], context);
}

/** The same for a search, which rests on all sources. To be awaited: the first search as of a day looks at each CVE that changed since. */
export async function contextOfSearch(asOf: string, words: boolean, context: ContextAsOf): Promise<ContextAsOf> {
  const then = contextOf(asOf, [...RECORD_SOURCES, ...SCORE_SOURCES], context);
  if (words) then.evidence.addGap(`words were searched for in the texts of today, not in those of ${asOf}`);
  try {
    await then.catalog.prepareSearch();
  } catch (error) {
    if (!(error instanceof TooManyChangesError)) throw error;
    throw asOfError(
      `more than ${MAX_CHANGED_CVES} CVEs changed since ${asOf}, too many to search as of it: take a later day, or ask about single CVEs`,
    );
  }
  return then;
}

function contextOf(asOf: string, sources: readonly string[], { catalog, evidence, now }: ContextAsOf): ContextAsOf {
  const today = isoDay(now.getTime());
  if (asOf > today) throw asOfError(`${asOf} has not begun: today is ${today} (UTC)`);
  const known = sources.filter((source): source is FeedId => isLoaded(catalog, source));
  const unrecorded = known.filter((source) => catalog.firstKnownDay(source, asOf) === null);
  if (unrecorded.length > 0)
    throw asOfError(`nothing that changed was recorded here of ${unrecorded.join(', ')}: no day in the past is known`);
  const first = firstDayOfAll(catalog, known, asOf);
  if (first !== asOf) {
    const later = known.filter((source) => catalog.firstKnownDay(source, asOf) !== asOf);
    throw asOfError(
      `what ${later.join(', ')} said on ${asOf} was not recorded here: the first day possible is ${first}`,
    );
  }
  addAsOfGaps(catalog, known, asOf, evidence);
  return { catalog: catalog.asOf(asOf), evidence, now: new Date(Date.parse(asOf) + DAY_MS - 1) };
}

/** The starter catalog, which stands for feeds that were not synced, has no history. */
function isLoaded({ sources }: CatalogView, source: string): boolean {
  if (sources[source]?.last_success_at != null) return true;
  return source === 'starter' || (sources['starter'] !== undefined && STARTER_FEEDS.has(source));
}

/** The first day from this one on that all of these sources reach. A source may have a hole that another one's first day lies in. */
function firstDayOfAll(catalog: CatalogView, sources: readonly FeedId[], asOf: string): string {
  let day = asOf;
  for (let earlier = ''; earlier !== day; ) {
    earlier = day;
    for (const source of sources) day = catalog.firstKnownDay(source, day)!;
  }
  return day;
}

function addAsOfGaps(
  catalog: CatalogView,
  sources: readonly FeedId[],
  asOf: string,
  evidence: Context['evidence'],
): void {
  const reach = sources.map((source) => `${source} ${catalog.firstKnownDay(source, FIRST_DAY)}`);
  evidence.addGap(
    `as of ${asOf}, what was seen here later is undone (recorded since: ${reach.join(', ')}); titles, descriptions, references other than patches and exploits, VEX statements and support are those of today`,
  );
  const scored = catalog.epssDayUntil(asOf);
  if (scored !== null && Date.parse(asOf) - Date.parse(scored) > DAY_MS)
    evidence.addGap(`EPSS scores are those of ${scored}, the newest held until ${asOf}`);
  const restart = catalog.history.restarts.at(-1);
  if (restart !== undefined && restart.slice(0, 10) > asOf)
    evidence.addGap(
      `the catalog was built anew on ${restart.slice(0, 10)}: what changed between the sync before and that one is not undone`,
    );
}

function asOfError(msg: string): ApiError {
  return validationError([{ loc: ['query', 'as_of'], msg, type: 'invalid_value' }]);
}
