import type { CatalogView } from '../catalog/view.ts';
import { type Pointer, Refusal } from '../errors.ts';
import type { FeedId } from '../feeds/feed.ts';
import { IN_STARTER } from './evidence.ts';

/**
 * The refusal for something that the catalog does not hold. "Not found" is only said of feeds that were synced: without
 * any data it is `not_ready`, and where the starter stood in the message says so.
 */
export function notKnown(catalog: CatalogView, feeds: readonly FeedId[], message: string, pointer?: Pointer): Refusal {
  const missing = feeds.filter((id) => isUnsynced(catalog, id));
  if (missing.length === 0) return new Refusal('not_found', message, { pointer });
  const unsynced = `${missing.join(', ')} ${missing.length === 1 ? 'has' : 'have'} not been synced yet`;
  if (missing.some((id) => isMissing(catalog, id))) return notReady(unsynced);
  return new Refusal('not_found', `${message} Only the small starter catalog was asked: ${unsynced}.`, { pointer });
}

/** Throws `not_ready` where nothing at all is there of a feed: an empty answer would say "there is none". */
export function requireData(catalog: CatalogView, feed: FeedId): void {
  if (isMissing(catalog, feed)) throw notReady(`${feed} has not been synced yet`);
}

/** True when nothing at all is there of a feed: not its own data, and no starter that stands in for it. */
export function isMissing(catalog: CatalogView, feed: FeedId): boolean {
  return isUnsynced(catalog, feed) && !(catalog.sources.starter !== undefined && IN_STARTER.has(feed));
}

function notReady(unsynced: string): Refusal {
  const pointer = { operation: 'status', address: 'GET /v1/status', does: 'shows the state of every source' };
  return new Refusal('not_ready', `This cannot be looked up: ${unsynced}.`, { retryAfterSeconds: 60, pointer });
}

function isUnsynced(catalog: CatalogView, feed: FeedId): boolean {
  return (catalog.sources[feed]?.records ?? 0) === 0;
}
