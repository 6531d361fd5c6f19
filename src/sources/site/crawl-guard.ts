import { disallowsCrawling } from '../../analysis/robots/path-access.ts';
import { ApiError } from '../../errors.ts';
import { NetError, type NetErrorCode } from '../../net/net-error.ts';
import { PRODUCT_TOKEN } from '../../net/user-agent.ts';
import type { SourceFailureCode, SourceContext } from '../source.ts';
import { robotsTxt } from './robots-txt.ts';

/** Failures where the host could not be reached. */
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

/**
 * Creates a guard that is awaited before each request for a page (specification, general rule 8): it counts the visit of each new host
 * and requires that the robots.txt of each origin allows it. The visit of host `start` was counted by the source client already.
 * The guard throws `ApiError` 429 or 403, also where the server cannot give its robots.txt (RFC 9309, 2.3.1.4). If the host is
 * unreachable it throws `NetError`: a page is never fetched without a decision by robots.txt.
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
      // Concurrent requests to the same origin await the same decision.
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
  if (disallowsCrawling(robots.found.robots, PRODUCT_TOKEN))
    throw robotsDisallowError(hostname, 'asks not to be fetched in its robots.txt');
}

function robotsDisallowError(host: string, why: string): ApiError {
  return new ApiError('robots_txt_disallow', `${host} ${why}; no page of it was fetched.`);
}
