import { MAX_ROBOTS_BYTES, type Robots, readRobots } from '../../analysis/robots/read-robots.ts';
import { RedirectChainError, followRedirects } from '../../net/follow-redirects.ts';
import { NetError } from '../../net/net-error.ts';
import { readInThreadIfLarge } from '../read-in-thread-if-large.ts';
import type { Source } from '../source.ts';

export interface RobotsFile {
  url: string;
  /** Status of the last response. */
  status: number;
  /** Parsed rules; a missing file allows everything. */
  robots: Robots;
  /** The server failed (5xx), so that nothing is allowed (RFC 9309, 2.3.1.4). */
  unreachable: boolean;
  latencyMs: number;
}

const MAX_REDIRECTS = 5;

/** The robots.txt of an origin (`https://example.com`), five redirects at most (RFC 9309, 2.3.1.2). */
export const robotsTxt: Source<{ origin: string }, RobotsFile> = {
  policy: {
    id: 'robots_txt',
    title: 'robots.txt of the target',
    provides: 'what crawlers may fetch',
    baseUrl: null,
    timeoutMs: 6000,
    maxBytes: MAX_ROBOTS_BYTES + 1,
    ttlSeconds: 600,
    concurrency: 100,
    key: null,
  },
  async ask({ origin }, { net, timeoutMs, maxBytes, signal }) {
    const bounds = { timeoutMs, maxBytes, truncate: true, anyCertificate: true, signal };
    const start = new URL('/robots.txt', origin);
    const { response, url, stopReason } = await followRedirects(net, start, {
      ...bounds,
      maxHops: MAX_REDIRECTS,
    }).catch(rethrowAsFileError);
    const { status, body, latencyMs } = response;
    const found = stopReason === null && status >= 200 && status < 300;
    const unreachable = status >= 500;
    const input = found ? body : new Uint8Array();
    const robots = await readInThreadIfLarge('robots_txt', readRobots, { input, bytes: input, signal });
    return { url, status, robots, unreachable, latencyMs };
  },
};

/** A failure after a redirect is not one of the host: it responded, but not with its file. */
function rethrowAsFileError(error: unknown): never {
  const failedAfterRedirect = error instanceof RedirectChainError && error.hops.length > 0 && error.code !== 'timeout';
  throw failedAfterRedirect ? new NetError('bad_redirect', 'robots.txt: its redirects lead to no response') : error;
}

/** `robotsTxt` for a caller that shows the file: counts as a visit. */
export const countedRobotsTxt: Source<{ origin: string }, RobotsFile> = {
  ...robotsTxt,
  visitedHost: ({ origin }) => new URL(origin).hostname,
};
