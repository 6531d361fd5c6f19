import { withSyncLock } from '../access/redis/sync-lock.ts';
import { openFeedUpstreams } from '../catalog/open-feed-upstreams.ts';
import { readUsableGeneration } from '../catalog/generation.ts';
import { SYNC_LIMITS, SyncBusyError, type SyncEvent, type SyncResult, syncCatalog } from '../catalog/sync.ts';
import type { Config } from '../config.ts';
import type { Feed } from '../feeds/feed.ts';
import { FEEDS } from '../feeds/list.ts';
import { createDispatcherSelector } from '../net/dispatcher.ts';
import { catalogFolderOf, netOptionsOf } from '../server/runner-deps.ts';

export interface SyncRunOptions {
  /** Ids of feeds; none: all. */
  feedIds: readonly string[];
  /** Only feeds whose time has come. */
  onlyDue: boolean;
  /** Takes a file also when it lost more than a tenth of its records. */
  allowShrink?: boolean;
  onEvent: (event: SyncEvent) => void;
  signal: AbortSignal;
}

/**
 * Replicas sync one after the other: one waits as long as the sync of another may take. The turn is renewed by timers, which
 * wait while an index is built: it lasts longer than that does.
 */
const SYNC_LOCK_TIMES = { maxWaitMs: SYNC_LIMITS.syncMs, lockTtlMs: 10 * 60_000 };

/** Null when another sync of this data folder is running. */
export async function runSync(config: Config, options: SyncRunOptions): Promise<SyncResult | null> {
  const folder = catalogFolderOf(config);
  const selected = FEEDS.filter(({ id }) => options.feedIds.length === 0 || options.feedIds.includes(id));
  const feeds = options.onlyDue ? dueFeeds(folder, selected, new Date()) : selected;
  if (feeds.length === 0) return { generation: readUsableGeneration(folder), failed: [] };
  const sync = (): Promise<SyncResult> => syncFeeds(config, feeds, options);
  try {
    return await (config.redisUrl === null
      ? sync()
      : withSyncLock(config.redisUrl, { ...SYNC_LOCK_TIMES, signal: options.signal }, sync));
  } catch (error) {
    if (error instanceof SyncBusyError) return null;
    throw error;
  }
}

function syncFeeds(config: Config, feeds: readonly Feed[], options: SyncRunOptions): Promise<SyncResult> {
  const { onEvent, signal, allowShrink = false } = options;
  const { feeds: from, sourceUrls, githubToken } = config;
  const upstreamOptions = {
    feeds: from,
    sourceUrls,
    githubToken,
    dispatcherFor: createDispatcherSelector(netOptionsOf(config)),
  };
  return syncCatalog({
    folder: catalogFolderOf(config),
    feeds: feeds.map((feed) => ({
      feed,
      upstreams: (abortSignal) => openFeedUpstreams(feed, upstreamOptions, abortSignal),
    })),
    now: () => new Date(),
    report: onEvent,
    signal,
    allowShrink,
  });
}

/** Feeds never synced, last synced longer ago than their interval, at a time that is still to come, or that failed last time. */
export function dueFeeds(folder: string, feeds: readonly Feed[], now: Date): Feed[] {
  const sources = readUsableGeneration(folder)?.sources ?? {};
  return feeds.filter(({ id, everyHours }) => {
    const state = sources[id];
    if (state === undefined || state.last_success_at === null || state.last_error !== null) return true;
    const ageMs = now.getTime() - Date.parse(state.last_success_at);
    return !(ageMs >= 0 && ageMs < everyHours * 3_600_000);
  });
}
