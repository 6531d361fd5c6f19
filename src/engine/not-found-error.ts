import type { CatalogView } from '../catalog/catalog-view.ts';
import { type OperationHint, ApiError } from '../errors.ts';
import type { FeedId } from '../feeds/feed.ts';
import { STARTER_FEEDS } from './evidence.ts';

/**
 * The refusal for something that the catalog does not hold. "Not found" is only said of feeds that were synced: without
 * any data it is `not_ready`, and where the starter stood in the message says so.
 */
export function notFoundError(
  catalog: CatalogView,
  feeds: readonly FeedId[],
  message: string,
  pointer?: OperationHint,
): ApiError {
  const missing = feeds.filter((id) => isUnsynced(catalog, id));
  if (missing.length === 0) return new ApiError('not_found', message, { operationHint: pointer });
  const unsynced = `${missing.join(', ')} ${missing.length === 1 ? 'has' : 'have'} not been synced yet`;
  if (missing.some((id) => isFeedMissing(catalog, id))) return notReadyError(unsynced);
  return new ApiError('not_found', `${message} Only the small starter catalog was asked: ${unsynced}.`, {
    operationHint: pointer,
  });
}

/** Throws `not_ready` where nothing at all is there of a feed: an empty answer would say "there is none". */
export function requireFeedData(catalog: CatalogView, feed: FeedId): void {
  if (isFeedMissing(catalog, feed)) throw notReadyError(`${feed} has not been synced yet`);
}

/** True when nothing at all is there of a feed: not its own data, and no starter that stands in for it. */
export function isFeedMissing(catalog: CatalogView, feed: FeedId): boolean {
  return isUnsynced(catalog, feed) && !(catalog.sources.starter !== undefined && STARTER_FEEDS.has(feed));
}

function notReadyError(unsynced: string): ApiError {
  const pointer = { operation: 'status', address: 'GET /v1/status', does: 'shows the state of every source' };
  return new ApiError('not_ready', `This cannot be looked up: ${unsynced}.`, {
    retryAfterSeconds: 60,
    operationHint: pointer,
  });
}

function isUnsynced(catalog: CatalogView, feed: FeedId): boolean {
  return (catalog.sources[feed]?.records ?? 0) === 0;
}
