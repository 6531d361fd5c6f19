import { inSyncTurn } from '../access/redis/sync-turn.ts';
import { upstreamsOf } from '../catalog/feed-addresses.ts';
import { usableGeneration } from '../catalog/generation.ts';
import { SYNC_LIMITS, SyncBusyError, type SyncEvent, type SyncOutcome, syncCatalog } from '../catalog/sync.ts';
import type { Config } from '../config.ts';
import type { Feed } from '../feeds/feed.ts';
import { FEEDS } from '../feeds/list.ts';
import { dispatchers } from '../net/dispatcher.ts';
import { catalogFolder, netOptionsOf } from '../server/services.ts';

export interface SyncRequest {
  /** Ids of feeds; none: all. */
  ids: readonly string[];
  /** Only feeds whose time has come. */
  due: boolean;
  /** Takes a file also when it lost more than a tenth of its records. */
  allowShrink?: boolean;
  report: (event: SyncEvent) => void;
  signal: AbortSignal;
}

/**
 * Replicas sync one after the other: one waits as long as the sync of another may take. The turn is renewed by timers, which
 * wait while an index is built: it lasts longer than that does.
 */
const TURN = { waitMs: SYNC_LIMITS.syncMs, turnMs: 10 * 60_000 };

/** Null when another sync of this data folder is running. */
export async function runSync(config: Config, request: SyncRequest): Promise<SyncOutcome | null> {
  const folder = catalogFolder(config);
  const asked = FEEDS.filter(({ id }) => request.ids.length === 0 || request.ids.includes(id));
  const feeds = request.due ? dueFeeds(folder, asked, new Date()) : asked;
  if (feeds.length === 0) return { generation: usableGeneration(folder), failed: [] };
  const sync = (): Promise<SyncOutcome> => syncFeeds(config, feeds, request);
  try {
    return await (config.redisUrl === null
      ? sync()
      : inSyncTurn(config.redisUrl, { ...TURN, signal: request.signal }, sync));
  } catch (error) {
    if (error instanceof SyncBusyError) return null;
    throw error;
  }
}

function syncFeeds(config: Config, feeds: readonly Feed[], request: SyncRequest): Promise<SyncOutcome> {
  const { report, signal, allowShrink = false } = request;
  const { feeds: from, sourceUrls, githubToken } = config;
  const addressing = { feeds: from, sourceUrls, githubToken, dispatcherFor: dispatchers(netOptionsOf(config)) };
  return syncCatalog({
    folder: catalogFolder(config),
    feeds: feeds.map((feed) => ({ feed, upstreams: (stop) => upstreamsOf(feed, addressing, stop) })),
    now: () => new Date(),
    report,
    signal,
    allowShrink,
  });
}

/** Feeds never synced, last synced longer ago than their interval, at a time that is still to come, or that failed last time. */
export function dueFeeds(folder: string, feeds: readonly Feed[], now: Date): Feed[] {
  const sources = usableGeneration(folder)?.sources ?? {};
  return feeds.filter(({ id, everyHours }) => {
    const state = sources[id];
    if (state === undefined || state.last_success_at === null || state.last_error !== null) return true;
    const ageMs = now.getTime() - Date.parse(state.last_success_at);
    return !(ageMs >= 0 && ageMs < everyHours * 3_600_000);
  });
}
