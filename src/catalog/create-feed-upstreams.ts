import type { Feed } from '../feeds/feed.ts';
import { type Upstream } from '../feeds/upstream.ts';
import type { ConnectionPool } from '../net/connection-pool.ts';
import { createUpstream } from '../feeds/create-upstream.ts';

export interface FeedAddressOptions {
  /** `upstream` for the publishers' own addresses, or the base address (ending with `/`) of a mirror of all feeds. */
  feeds: string;
  /** Addresses of single feeds, by id; they take precedence over `feeds`. */
  sourceUrls: ReadonlyMap<string, string>;
  /** Sent to GitHub's API only. */
  githubToken: string | null;
  /** Connections to web addresses; `trusted`: the operator set them. Not needed for folders. */
  poolFor?: (trusted: boolean) => ConnectionPool;
}

const GITHUB_API_ORIGIN = 'https://api.github.com';

/** The upstreams of a feed, by its addresses: the operator's address for it, else its folder of the mirror, else the publisher's addresses. */
export function createFeedUpstreams(feed: Feed, addressing: FeedAddressOptions, signal?: AbortSignal): Upstream[] {
  const { feeds, sourceUrls, githubToken, poolFor } = addressing;
  const mirror = sourceUrls.get(feed.id) ?? (feeds === 'upstream' ? null : new URL(`${feed.folder}/`, feeds).href);
  const authorization =
    githubToken === null ? undefined : { origin: GITHUB_API_ORIGIN, value: `Bearer ${githubToken}` };
  return (mirror === null ? feed.addresses : [mirror]).map((address) =>
    createUpstream({
      address,
      layout: mirror === null ? 'origin' : 'mirror',
      signal,
      web: {
        authorization,
        bounds: { maxBytes: feed.maxBytes, maxDecodedBytes: feed.maxBytes },
        pool: poolFor?.(mirror !== null),
      },
    }),
  );
}
