import { lineListFeed } from './line-list-feed.ts';

/** Addresses from which the Tor network reaches others. */
export const torFeed = lineListFeed({
  id: 'tor',
  title: 'Tor exit relays',
  addresses: ['https://check.torproject.org/'],
  folder: 'tor',
  file: 'torbulkexitlist',
  everyHours: 1,
  staleAfterDays: null,
});
