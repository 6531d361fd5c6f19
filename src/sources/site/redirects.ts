import { ApiError } from '../../errors.ts';
import { followRedirects, type RedirectHop, type RedirectStopReason } from '../../net/follow-redirects.ts';
import { NetError, type NetErrorCode } from '../../net/net-error.ts';
import type { Source } from '../source.ts';
import { createCrawlGuard } from './crawl-guard.ts';

export interface RedirectChain {
  hops: readonly RedirectHop[];
  /** URL of the last response. */
  url: string;
  /** Status of the last response. */
  status: number;
  stopReason: RedirectStopReason | null;
  /** The hop after the first that failed; null: none did. */
  failedHop: { url: string; failure: NetErrorCode | 'robots_txt_disallow' | 'target_throttled' } | null;
}

/** Ten hops, including the first one. */
const MAX_REDIRECTS = 9;
/** Bodies are not used. */
const MAX_BYTES = 64 * 1024;

/** The redirects of a URL. The first hop must respond; a later hop that fails ends the chain (`failedHop`). */
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
        truncate: true,
        anyCertificate: true,
        signal,
        maxHops: MAX_REDIRECTS,
        onHop: async (hop) => {
          currentUrl = hop.href;
          await guard(hop);
        },
        onResponse: (hop) => hops.push(hop),
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
      if (error instanceof NetError && error.code !== 'busy') return failedAt(error.code);
      if (error instanceof ApiError && (error.code === 'robots_txt_disallow' || error.code === 'target_throttled')) {
        return failedAt(error.code);
      }
      throw error;

      function failedAt(failure: NonNullable<RedirectChain['failedHop']>['failure']): RedirectChain {
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
