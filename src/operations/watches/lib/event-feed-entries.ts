import type { z } from 'zod';
import type { FeedEntry } from '../../../engine/feed-document.ts';
import type { WatchEventField } from './watch-schemas.ts';

type Event = z.output<typeof WatchEventField>;

/** Events as entries of a feed, the last one first: what changed, and why it concerns the owner. */
export function eventFeedEntries(events: readonly Event[], origin: string): FeedEntry[] {
  return events
    .map((event) => ({
      id: `urn:sextant:event:${event.id}`,
      title: `${subjectOfEvent(event)}: ${event.what}`,
      updated: event.seen_at,
      published: event.seen_at,
      url: `${origin}${pathOfEvent(event)}`,
      summary: event.why,
    }))
    .toReversed();
}

/** The CVE, domain or indicator that changed. */
export function subjectOfEvent({ about }: Pick<Event, 'about'>): string {
  return about.cve_id ?? about.domain ?? about.indicator ?? '';
}

/** Its page. */
export function pathOfEvent(event: Pick<Event, 'about'>): string {
  const { kind } = event.about;
  return `/${kind}/${encodeURIComponent(subjectOfEvent(event))}`;
}
