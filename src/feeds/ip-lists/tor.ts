import { lineListFeed } from './line-list.ts';

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
