import { pathToFileURL } from 'node:url';
import { createFeedUpstreams } from '../../src/catalog/create-feed-upstreams.ts';
import { type SyncEvent, syncCatalog } from '../../src/catalog/sync.ts';
import type { Feed } from '../../src/feeds/feed.ts';

/** Syncs some feeds from a folder that is laid out as the shared one into a data folder; what was refused, and why. */
export async function syncInto(
  data: string,
  from: string,
  feeds: readonly Feed<'document'>[],
  now: Date,
): Promise<string[]> {
  const addressing = {
    feeds: pathToFileURL(`${from}/`).href,
    sourceUrls: new Map<string, string>(),
    githubToken: null,
  };
  const refused: string[] = [];
  const report = (event: SyncEvent): void => {
    if (event.type === 'refused') refused.push(event.reason);
  };
  await syncCatalog({
    folder: data,
    feeds: feeds.map((feed) => ({
      feed: feed as unknown as Feed,
      upstreams: (signal) => createFeedUpstreams(feed as unknown as Feed, addressing, signal),
    })),
    now: () => now,
    report,
  });
  return refused;
}
