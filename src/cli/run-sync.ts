import { createFeedUpstreams } from '../catalog/create-feed-upstreams.ts';
import { readUsableGeneration } from '../catalog/generation.ts';
import { SYNC_LIMITS, type SyncEvent, type SyncResult, syncCatalog } from '../catalog/sync.ts';
import type { Config } from '../config.ts';
import type { Feed } from '../feeds/feed.ts';
import { FEEDS } from '../feeds/list.ts';
import { createConnectionPools } from '../net/connection-pool.ts';
import { catalogFolderOf, netOptionsOf } from '../server/runner-deps.ts';

export interface SyncRunOptions {
  /** Empty: all feeds. */
  feedIds: readonly string[];
  /** Only feeds whose update interval has passed. */
  onlyDue: boolean;
  /** Accepts a file although it lost more than a tenth of its records. */
  allowShrink?: boolean;
  onEvent: (event: SyncEvent) => void;
  signal: AbortSignal;
}

const HOUR_MS = 3_600_000;
/**
 * Replicas sync one after the other: each waits as long as the sync of another may take. The lock is renewed by timers, which cannot
 * run while an index is built, so it lasts longer than that.
 */
const SYNC_LOCK_TIMES = { maxWaitMs: SYNC_LIMITS.syncMs, lockTtlMs: 10 * 60_000 };

/** Syncs feeds into the catalog of the data folder. Throws `SyncBusyError` while another sync runs. */
export async function runSync(config: Config, options: SyncRunOptions): Promise<SyncResult> {
  const folder = catalogFolderOf(config);
  const selected = FEEDS.filter(({ id }) => options.feedIds.length === 0 || options.feedIds.includes(id));
  const feeds = options.onlyDue ? findDueFeeds(folder, selected, new Date()) : selected;
  if (feeds.length === 0) return { generation: readUsableGeneration(folder), failed: [] };
  const sync = (): Promise<SyncResult> => syncFeeds(config, feeds, options);
  if (config.redisUrl === null) return sync();
  const { withSyncLock } = await import('../access/redis/sync-lock.ts');
  return withSyncLock(config.redisUrl, { ...SYNC_LOCK_TIMES, signal: options.signal }, sync);
}

function syncFeeds(config: Config, feeds: readonly Feed[], options: SyncRunOptions): Promise<SyncResult> {
  const { onEvent, signal, allowShrink = false } = options;
  const { feeds: feedsBase, sourceUrls, githubToken } = config;
  const upstreamOptions = {
    feeds: feedsBase,
    sourceUrls,
    githubToken,
    poolFor: createConnectionPools(netOptionsOf(config)),
  };
  return syncCatalog({
    folder: catalogFolderOf(config),
    feeds: feeds.map((feed) => ({
      feed,
      upstreams: (abortSignal) => createFeedUpstreams(feed, upstreamOptions, abortSignal),
    })),
    now: () => new Date(),
    report: onEvent,
    signal,
    allowShrink,
  });
}

/**
 * Feeds that are due: never synced, failed at the last sync, or synced longer ago than their interval. A sync in the future (the clock
 * was wrong) also counts as due.
 */
export function findDueFeeds(folder: string, feeds: readonly Feed[], now: Date): Feed[] {
  const sources = readUsableGeneration(folder)?.sources ?? {};
  return feeds.filter(({ id, everyHours }) => {
    const state = sources[id];
    if (state === undefined || state.last_success_at === null || state.last_error !== null) return true;
    const ageMs = now.getTime() - Date.parse(state.last_success_at);
    return !(ageMs >= 0 && ageMs < everyHours * HOUR_MS);
  });
}
