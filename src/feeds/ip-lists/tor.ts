import { lineListFeed } from './line-list-feed.ts';

/** Addresses of Tor exit relays. */
export const torExitFeed = lineListFeed({
  id: 'tor',
  title: 'Tor exit relays',
  addresses: ['https://check.torproject.org/'],
  folder: 'tor',
  file: 'torbulkexitlist',
  everyHours: 1,
  staleAfterDays: null,
});
