import { disallowsCrawling } from '../../analysis/robots/path-access.ts';
import { ApiError } from '../../errors.ts';
import { NetError, type NetErrorCode } from '../../net/net-error.ts';
import type { SourceFailureCode, SourceContext } from '../source.ts';
import { robotsTxt } from './robots-txt.ts';

/** Failures of getting there at all. */
const UNREACHABLE_FAILURES: ReadonlySet<SourceFailureCode> = new Set([
  'refused',
  'unreachable',
  'tls',
  'reset',
  'timeout',
  'dns',
  'no_such_name',
  'refused_address',
  'aborted',
] satisfies NetErrorCode[]);

/** By which robots.txt files know us; the user agent begins with it. */
export const ROBOTS_PRODUCT_TOKEN = 'Sextant';

/**
 * What comes before any look at a page of a host (specification, general rule 8): its limit is counted, and its robots.txt is
 * asked. Gives a guard for one journey, to be awaited before each request of it; `start` was counted by the asker already.
 * Throws `ApiError` 429 or 403. A server that cannot say what it allows allows nothing (RFC 9309, 2.3.1.4); where nobody answers at
 * all, that is what the caller is to hear (`NetError`), and the page is not tried: it might be had all the same.
 */
export function createCrawlGuard(context: SourceContext, start: string): (url: URL) => Promise<void> {
  const countedHosts = new Set([start]);
  const decisions = new Map<string, Promise<void>>();
  return async (url) => {
    if (!countedHosts.has(url.hostname)) {
      countedHosts.add(url.hostname);
      await context.countVisit(url.hostname);
    }
    let decision = decisions.get(url.origin);
    if (decision === undefined) {
      // Whoever comes to the same origin meanwhile waits for the same word of it, or is refused by it.
      decision = requireRobotsPermission(context, url);
      decisions.set(url.origin, decision);
    }
    await decision;
  };
}

async function requireRobotsPermission(context: SourceContext, { hostname, origin }: URL): Promise<void> {
  const robots = await context.ask(robotsTxt, { origin });
  if (robots.status === 'unavailable' && UNREACHABLE_FAILURES.has(robots.failure))
    throw new NetError(robots.failure as NetErrorCode, `${hostname}: no answer for its robots.txt`);
  if (robots.status === 'unavailable' && robots.refusal !== undefined) throw robots.refusal;
  if (robots.status === 'unavailable' && robots.failure === 'not_asked')
    throw new NetError('busy', `${hostname}: its robots.txt was not asked`);
  if (robots.status !== 'ok')
    throw robotsDisallowError(hostname, 'did not answer properly for its robots.txt, which keeps crawlers out');
  if (robots.found.unreachable)
    throw robotsDisallowError(
      hostname,
      `answers its robots.txt with status ${robots.found.status}, which keeps crawlers out`,
    );
  if (disallowsCrawling(robots.found.robots, ROBOTS_PRODUCT_TOKEN))
    throw robotsDisallowError(hostname, 'asks not to be fetched in its robots.txt');
}

function robotsDisallowError(host: string, why: string): ApiError {
  return new ApiError('robots_txt_disallow', `${host} ${why}; no page of it was fetched.`);
}
