import { cveSearch } from '../../operations/cve/cve-search.ts';
import { type CatalogFilters, toCatalogFilters } from '../../operations/cve/lib/cve-filters.ts';
import type { CatalogView } from '../../catalog/catalog-view.ts';
import { SEARCH_KEY } from '../../analysis/watch/watch-keys.ts';
import type { Watch } from '../../engine/watch-book.ts';
import { createEventLoopYielder } from '../../event-loop-yielder.ts';
import type { MatchingDeps } from './matching-deps.ts';
import { watchesWithKeys } from './watches-with-keys.ts';

/** Watches of searches by the CVEs that they find, of those that changed. */
export type FoundBySearch = ReadonlyMap<string, readonly Watch[]>;

/** Evaluates each distinct search once, for these CVEs alone. `watches`: all, or those given. */
export async function evaluateSearches(
  cveIds: ReadonlySet<string>,
  { store }: Pick<MatchingDeps, 'store'>,
  catalog: CatalogView,
  now: Date,
  watches: readonly Watch[] | null,
): Promise<FoundBySearch> {
  const searches = watches ?? (await Array.fromAsync(watchesWithKeys(store, [SEARCH_KEY]))).flat();
  const found = new Map<string, Watch[]>();
  if (searches.length === 0) return found;
  const yieldToEventLoop = createEventLoopYielder();
  const among = catalog.searchAmong(cveIds);
  for (const [, same] of Map.groupBy(searches, ({ subject }) => filterKey(subject))) {
    await yieldToEventLoop();
    const filters = filtersOf(same[0]!, catalog, now);
    for (const cveId of filters === null ? [] : among(filters)) {
      const known = found.get(cveId);
      if (known === undefined) found.set(cveId, [...same]);
      else known.push(...same);
    }
  }
  return found;
}

function filterKey(subject: Watch['subject']): string {
  return subject.kind === 'search' ? JSON.stringify(subject.filters, Object.keys(subject.filters).toSorted()) : '';
}

/** Null for filters that a later version of the service does not take any more. */
function filtersOf({ subject }: Watch, catalog: CatalogView, now: Date): CatalogFilters | null {
  const parsed = subject.kind === 'search' ? cveSearch.input.safeParse(subject.filters) : null;
  return parsed?.success === true ? toCatalogFilters(parsed.data, catalog, now).filters : null;
}
