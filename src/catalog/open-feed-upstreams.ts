import type { Feed } from '../feeds/feed.ts';
import { type Upstream } from '../feeds/upstream.ts';
import type { ConnectionPool } from '../net/connection-pool.ts';
import { openUpstream } from '../feeds/open-upstream.ts';

export interface FeedAddressOptions {
  /** `upstream`, or the base address (ending with `/`) of a copy of all feeds. */
  feeds: string;
  /** Addresses of single sources, by id; they win over `feeds`. */
  sourceUrls: ReadonlyMap<string, string>;
  /** Goes to GitHub's API alone. */
  githubToken: string | null;
  /** Connections to web addresses; `trusted`: the operator set them. Not needed for folders. */
  poolFor?: (trusted: boolean) => ConnectionPool;
}

const GITHUB_API_ORIGIN = 'https://api.github.com';

/** Where a feed is read from: the operator's address for it, else its folder of the copy, else its upstream addresses. */
export function openFeedUpstreams(feed: Feed, addressing: FeedAddressOptions, signal?: AbortSignal): Upstream[] {
  const { feeds, sourceUrls, githubToken, poolFor } = addressing;
  const copy = sourceUrls.get(feed.id) ?? (feeds === 'upstream' ? null : new URL(`${feed.folder}/`, feeds).href);
  const authorization =
    githubToken === null ? undefined : { origin: GITHUB_API_ORIGIN, value: `Bearer ${githubToken}` };
  return (copy === null ? feed.addresses : [copy]).map((address) =>
    openUpstream({
      address,
      layout: copy === null ? 'origin' : 'mirror',
      signal,
      web: {
        authorization,
        bounds: { maxBytes: feed.maxBytes, maxDecodedBytes: feed.maxBytes },
        pool: poolFor?.(copy !== null),
      },
    }),
  );
}
