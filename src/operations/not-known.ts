import type { CatalogView } from '../catalog/view.ts';
import type { FeedId } from '../feeds/feed.ts';
import { Refusal } from '../errors.ts';

/**
 * The refusal for something that the catalog does not hold. "Not found" is only said of feeds that were synced: without
 * any data it is `not_ready`, and where the starter stood in the message says so.
 */
export function notKnown(catalog: CatalogView, feeds: readonly FeedId[], message: string): Refusal {
  const missing = feeds.filter((id) => isUnsynced(catalog, id));
  if (missing.length === 0) return new Refusal('not_found', message);
  const unsynced = `${missing.join(', ')} ${missing.length === 1 ? 'has' : 'have'} not been synced yet`;
  if (catalog.sources.starter === undefined) {
    return new Refusal(
      'not_ready',
      `This cannot be looked up: ${unsynced}. /v1/status shows the state of every source.`,
      { retryAfterSeconds: 60 },
    );
  }
  return new Refusal('not_found', `${message} Only the small starter catalog was asked: ${unsynced}.`);
}

/** True when nothing at all is there of a feed: not its own data, and no starter. */
export function isMissing(catalog: CatalogView, feed: FeedId): boolean {
  return isUnsynced(catalog, feed) && catalog.sources.starter === undefined;
}

function isUnsynced(catalog: CatalogView, feed: FeedId): boolean {
  return (catalog.sources[feed]?.records ?? 0) === 0;
}
