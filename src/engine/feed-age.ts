import type { FeedState } from '../catalog/generation.ts';
import { FEED_PROPERTIES } from '../feeds/feed-properties.computed.ts';

/** A feed synced from its upstream is stale after this many missed syncs. */
const STALE_AFTER_MISSED_SYNCS = 6;

/** Clocks of machines that share a data folder differ by this much at most. */
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Age of a feed's data: from `last_success_at` where the upstream itself was synced; from `data_time` for copies, bundles and the
 * starter, or where the sync time is in the future. Null when never loaded.
 */
export function dataAgeSeconds(state: FeedState | undefined, now: Date): number | null {
  if (state === undefined || state.last_success_at === null) return null;
  const isDated = state.data_time !== null && (!state.from_origin || isSyncedInFuture(state, now));
  const time = isDated ? state.data_time! : state.last_success_at;
  return Math.max(0, Math.floor((now.getTime() - Date.parse(time)) / 1000));
}

/** True where the sync time is in the future: the clock was ahead then, so the age of the data is not known. */
export function isSyncedInFuture(state: FeedState | undefined, now: Date): boolean {
  return state?.last_success_at != null && Date.parse(state.last_success_at) > now.getTime() + CLOCK_TOLERANCE_MS;
}

/**
 * Whether a feed is older than it should be. Synced from its upstream: after missed syncs; from a mirror: by the age of the data,
 * where the upstream publishes regularly. False for a feed that was never loaded.
 */
export function isStale(feedId: string, state: FeedState | undefined, now: Date): boolean {
  const age = dataAgeSeconds(state, now);
  if (age === null || state === undefined) return false;
  return age > staleAfterSeconds(feedId, state) || isSyncedInFuture(state, now);
}

function staleAfterSeconds(feedId: string, { from_origin }: FeedState): number {
  const feed = FEED_PROPERTIES.find(({ id }) => id === feedId);
  if (feed === undefined) return Number.POSITIVE_INFINITY;
  if (from_origin) return feed.everyHours * STALE_AFTER_MISSED_SYNCS * 3600;
  return feed.staleAfterDays === null ? Number.POSITIVE_INFINITY : feed.staleAfterDays * 86_400;
}
