import { ApiError } from '../../errors.ts';
import { followRedirects, type RedirectHop, type RedirectStopReason } from '../../net/follow-redirects.ts';
import { NetError, type NetErrorCode } from '../../net/net-error.ts';
import type { Source } from '../source.ts';
import { createCrawlGuard } from './crawl-guard.ts';

export interface RedirectChain {
  hops: readonly RedirectHop[];
  /** Of the last answer. */
  url: string;
  /** Of the last answer. */
  status: number;
  stopReason: RedirectStopReason | null;
  /** Why a hop after the first was not reached; null: all were. */
  failedHop: { url: string; failure: NetErrorCode | 'robots_txt_disallow' | 'target_throttled' } | null;
}

/** The start is a hop too: ten in all. */
const MAX_REDIRECTS = 9;
/** Of bodies nothing is needed. */
const MAX_BYTES = 64 * 1024;

/** Where an address leads, hop by hop. The first hop must answer; one that fails later ends the chain and says so. */
export const redirects: Source<{ url: string }, RedirectChain> = {
  policy: {
    id: 'redirects',
    title: 'redirects of the target',
    provides: 'where an address leads',
    baseUrl: null,
    timeoutMs: 15_000,
    maxBytes: MAX_BYTES,
    ttlSeconds: 0,
    concurrency: 100,
    key: null,
  },
  visitedHost: ({ url }) => new URL(url).hostname,
  async ask({ url }, context) {
    const start = new URL(url);
    const guard = createCrawlGuard(context, start.hostname);
    const { net, timeoutMs, maxBytes, signal } = context;
    const hops: RedirectHop[] = [];
    let currentUrl = start.href;
    try {
      const chain = await followRedirects(net, start, {
        timeoutMs,
        maxBytes,
        cut: true,
        anyCertificate: true,
        signal,
        maxHops: MAX_REDIRECTS,
        onHop: async (hop) => {
          currentUrl = hop.href;
          await guard(hop);
        },
        onAnswer: (hop) => hops.push(hop),
      });
      return {
        hops: chain.hops,
        url: chain.url,
        status: chain.response.status,
        stopReason: chain.stopReason,
        failedHop: null,
      };
    } catch (error) {
      const last = hops.at(-1);
      if (last === undefined) throw error;
      if (error instanceof NetError && error.code !== 'busy') return brokenAt(error.code);
      if (error instanceof ApiError && (error.code === 'robots_txt_disallow' || error.code === 'target_throttled')) {
        return brokenAt(error.code);
      }
      throw error;

      function brokenAt(failure: NonNullable<RedirectChain['failedHop']>['failure']): RedirectChain {
        return {
          hops,
          url: last!.url,
          status: last!.status,
          stopReason: null,
          failedHop: { url: currentUrl, failure },
        };
      }
    }
  },
};
