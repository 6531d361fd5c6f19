import { changePhrase } from '../../../analysis/cve/describe-change.ts';
import type { z } from 'zod';
import type { FeedEntry } from '../../../engine/feed-document.ts';
import type { Change } from './change-schemas.ts';
import { cveHeadline } from './cve-headline.ts';
import type { CveListItem } from './schemas.ts';

type CveRow = z.output<typeof CveListItem>;

/** Rows of a search in full as entries of a feed. A CVE has the same id in every feed. */
export function cveFeedEntries(rows: readonly CveRow[], origin: string): FeedEntry[] {
  return rows.map((row) => ({
    id: `https://www.cve.org/CVERecord?id=${row.cve_id}`,
    title: `${row.cve_id}: ${cveHeadline(row) ?? 'no description yet'}`,
    updated: updatedAt(row),
    published: row.published === null ? null : asTime(row.published),
    url: `${origin}/cve/${row.cve_id}`,
    summary: row.summary,
  }));
}

/** Changes as entries of a feed, the last one first: what changed, who says so, and when it was seen. */
export function changeFeedEntries(changes: readonly z.output<typeof Change>[], origin: string): FeedEntry[] {
  const seen = new Map<string, number>();
  return changes
    .map((change) => {
      // Within one time and field there is seldom more than one value.
      const name = [change.cve_id, change.seen_at, change.source, change.kind, change.change, change.field].join(' ');
      const number = seen.get(name) ?? 0;
      seen.set(name, number + 1);
      const phrase = changePhrase(change);
      return {
        id: `urn:sextant:change:${encodeURIComponent(number === 0 ? name : `${name} ${number}`)}`,
        title: `${change.cve_id}: ${phrase}`,
        updated: change.seen_at,
        published: null,
        url: `${origin}/cve/${change.cve_id}`,
        summary: `${change.source}: ${phrase}${change.at === null ? '' : `, ${change.at.slice(0, 10)}`}.`,
      };
    })
    .toReversed();
}

/** A day that changes only with the record; of a CVE without any, the first day of the year in its id. */
function updatedAt({ cve_id, modified, published, kev }: CveRow): string {
  return asTime(modified ?? published ?? kev.date_added ?? `${cve_id.slice(4, 8)}-01-01`);
}

/** RFC 3339; days become midnight UTC. */
function asTime(timestamp: string): string {
  return new Date(timestamp).toISOString();
}
