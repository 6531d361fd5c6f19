import type { FeedState } from '../catalog/generation.ts';
import { FEED_PROPERTIES, type FeedProperties } from '../feeds/feed-properties.computed.ts';

const FEEDS_BY_ID: ReadonlyMap<string, FeedProperties> = new Map(FEED_PROPERTIES.map((feed) => [feed.id, feed]));

/** A feed synced from its upstream is stale after this many missed syncs. */
const STALE_AFTER_MISSED_SYNCS = 6;

/** Clocks of machines that share a data folder differ by this much at most. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Times of a feed in milliseconds since 1970. */
interface FeedTimes {
  synced: number;
  data: number | null;
}

/** Parsed once: every answer asks for the ages of its feeds. A state is never changed. */
const timesByState = new WeakMap<FeedState, FeedTimes>();

/** Null for a feed that was never loaded. */
function timesOf(state: FeedState | undefined): FeedTimes | null {
  if (state === undefined || state.last_success_at === null) return null;
  let times = timesByState.get(state);
  if (times === undefined) {
    times = {
      synced: Date.parse(state.last_success_at),
      data: state.data_time === null ? null : Date.parse(state.data_time),
    };
    timesByState.set(state, times);
  }
  return times;
}

/**
 * The time of a feed's data in milliseconds since 1970: `last_success_at` where the upstream itself was synced; `data_time` for copies,
 * bundles and the starter, or where the sync time is in the future. Null when never loaded.
 */
export function feedDataTimeMs(state: FeedState | undefined, now: Date): number | null {
  const times = timesOf(state);
  if (times === null) return null;
  return times.data !== null && (!state!.from_origin || isSyncedInFuture(state, now)) ? times.data : times.synced;
}

/** Age of a feed's data at `now`. Null when never loaded. */
export function dataAgeSeconds(state: FeedState | undefined, now: Date): number | null {
  const dataTimeMs = feedDataTimeMs(state, now);
  return dataTimeMs === null ? null : Math.max(0, Math.floor((now.getTime() - dataTimeMs) / 1000));
}

/** True where the sync time is in the future: the clock was ahead then, so the age of the data is not known. */
export function isSyncedInFuture(state: FeedState | undefined, now: Date): boolean {
  const times = timesOf(state);
  return times !== null && times.synced > now.getTime() + CLOCK_TOLERANCE_MS;
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
  const feed = FEEDS_BY_ID.get(feedId);
  if (feed === undefined) return Number.POSITIVE_INFINITY;
  if (from_origin) return feed.everyHours * STALE_AFTER_MISSED_SYNCS * 3600;
  return feed.staleAfterDays === null ? Number.POSITIVE_INFINITY : feed.staleAfterDays * 86_400;
}
