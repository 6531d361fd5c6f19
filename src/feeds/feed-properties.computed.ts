import type { Feed } from './feed.ts';
import { FEEDS } from './list.ts';

/** What answers about a feed need, without its files and parser. */
export type FeedProperties = Pick<Feed, 'id' | 'title' | 'everyHours' | 'staleAfterDays'>;

/** In the order of `FEEDS`. The build puts this value in the place of this module: who does not sync loads no parser. */
export const FEED_PROPERTIES: readonly FeedProperties[] = FEEDS.map(({ id, title, everyHours, staleAfterDays }) => ({
  id,
  title,
  everyHours,
  staleAfterDays,
}));
