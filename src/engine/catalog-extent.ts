import { z } from 'zod';
import type { CatalogView } from '../catalog/catalog-view.ts';
import type { FeedId } from '../feeds/feed.ts';
import { isoDay } from '../analysis/iso-time.ts';
import { feedDataTimeMs } from './feed-age.ts';
import { formatNumber } from './summary.ts';

/** Feeds whose records name the products of CVEs, and what a reader calls them. */
const RECORD_FEEDS = {
  nvd: 'NVD',
  cvelist: 'CVE List',
  ghsa: 'GitHub advisories',
} as const satisfies Partial<Record<FeedId, string>>;
type RecordFeed = keyof typeof RECORD_FEEDS;
const FEED_IDS = Object.keys(RECORD_FEEDS) as RecordFeed[];

/** What "none" rests on where the CVEs of a product were looked for. */
export const CatalogExtentField = z
  .object({
    as_of: z
      .string()
      .nullable()
      .meta({ description: 'Day of the oldest feed of records that was used; null: not known.' }),
    feeds: z
      .array(z.object({ feed: z.enum(FEED_IDS), as_of: z.string() }))
      .meta({ description: 'The feeds of records that were used, each with the day of its data, YYYY-MM-DD.' }),
    cves: z.number().int().meta({ description: 'CVEs that the catalog holds, rejected ones left out.' }),
    is_starter: z
      .boolean()
      .meta({ description: 'The small catalog of the first run: no answer from it means little.' }),
  })
  .meta({ id: 'CatalogExtent', description: 'What was searched: a product without CVEs has none in this.' });
export type CatalogExtent = z.output<typeof CatalogExtentField>;

/** The day and the size of the CVE records of a catalog. */
export function catalogExtent(catalog: Pick<CatalogView, 'sources' | 'coverage'>, now: Date): CatalogExtent {
  const feeds = FEED_IDS.flatMap((feed) => {
    const time = feedDataTimeMs(catalog.sources[feed], now);
    return time === null ? [] : [{ feed, as_of: isoDay(time) }];
  });
  const isStarter = feeds.length === 0;
  const starter = isStarter ? feedDataTimeMs(catalog.sources['starter'], now) : null;
  return {
    as_of: isStarter ? (starter === null ? null : isoDay(starter)) : feeds.map(({ as_of }) => as_of).toSorted()[0]!,
    feeds,
    cves: catalog.coverage().reduce((sum, { all }) => sum + all.cves, 0),
    is_starter: isStarter,
  };
}

/** `the catalog (NVD of 2026-06-17, CVE List of 2024-10-24), which holds 240,000 CVEs`; of the starter, `which holds 155 well-known CVEs alone`. */
export function describeExtent({ as_of, feeds, cves, is_starter }: CatalogExtent): string {
  if (is_starter)
    return `the starter catalog of ${as_of ?? 'a day not known'}, which holds ${formatNumber(cves)} well-known CVEs alone`;
  const named = feeds.map(({ feed, as_of }) => `${RECORD_FEEDS[feed]} of ${as_of}`).join(', ');
  return `the catalog (${named}), which holds ${formatNumber(cves)} CVEs`;
}
