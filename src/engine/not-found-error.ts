import type { CatalogView } from '../catalog/catalog-view.ts';
import { type OperationHint, ApiError } from '../errors.ts';
import type { FeedId } from '../feeds/feed.ts';
import { STARTER_FEEDS } from './evidence.ts';

/**
 * The error for something that the catalog does not hold: 404 where the feeds were synced or the starter has data of them (the message
 * then says so); 503 `not_ready` where there is no data of them at all.
 */
export function notFoundError(
  catalog: CatalogView,
  feeds: readonly FeedId[],
  message: string,
  operationHint?: OperationHint,
): ApiError {
  const missing = feeds.filter((id) => isUnsynced(catalog, id));
  if (missing.length === 0) return new ApiError('not_found', message, { operationHint });
  const unsynced = `${missing.join(', ')} ${missing.length === 1 ? 'has' : 'have'} not been synced yet`;
  if (missing.some((id) => isFeedMissing(catalog, id))) return notReadyError(unsynced);
  return new ApiError('not_found', `${message} Only the small starter catalog was asked: ${unsynced}.`, {
    operationHint,
  });
}

/** Throws `not_ready` where there is no data of a feed: an empty answer would mean "none exists". */
export function requireFeedData(catalog: CatalogView, feed: FeedId): void {
  if (isFeedMissing(catalog, feed)) throw notReadyError(`${feed} has not been synced yet`);
}

/** True where there is no data of a feed: neither its own nor from the starter. */
export function isFeedMissing(catalog: CatalogView, feed: FeedId): boolean {
  return isUnsynced(catalog, feed) && !(catalog.sources.starter !== undefined && STARTER_FEEDS.has(feed));
}

function notReadyError(unsynced: string): ApiError {
  const operationHint = { operation: 'status', address: 'GET /v1/status', does: 'shows the state of every source' };
  return new ApiError('not_ready', `This cannot be looked up: ${unsynced}.`, {
    retryAfterSeconds: 60,
    operationHint,
  });
}

function isUnsynced(catalog: CatalogView, feed: FeedId): boolean {
  return (catalog.sources[feed]?.records ?? 0) === 0;
}
