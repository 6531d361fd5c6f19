import { disallowsRoot } from '../../analysis/robots/access.ts';
import { Refusal } from '../../errors.ts';
import { NetError, type NetErrorCode } from '../../net/net-error.ts';
import type { Failure, Way } from '../source.ts';
import { robotsTxt } from './robots-txt.ts';

/** Failures of getting there at all. */
const NO_ANSWER: ReadonlySet<Failure> = new Set([
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
export const ROBOTS_TOKEN = 'Sextant';

/**
 * What comes before any look at a page of a host (specification, general rule 8): its limit is counted, and its robots.txt is
 * asked. Gives a guard for one journey, to be awaited before each request of it; `start` was counted by the asker already.
 * Throws `Refusal` 429 or 403. A server that cannot say what it allows allows nothing (RFC 9309, 2.3.1.4); where nobody answers at
 * all, that is what the caller is to hear (`NetError`), and the page is not tried: it might be had all the same.
 */
export function floorOf(way: Way, start: string): (url: URL) => Promise<void> {
  const counted = new Set([start]);
  const permits = new Map<string, Promise<void>>();
  return async (url) => {
    if (!counted.has(url.hostname)) {
      counted.add(url.hostname);
      await way.arrive(url.hostname);
    }
    let permit = permits.get(url.origin);
    if (permit === undefined) {
      // Whoever comes to the same origin meanwhile waits for the same word of it, or is refused by it.
      permit = permitOf(way, url);
      permits.set(url.origin, permit);
    }
    await permit;
  };
}

async function permitOf(way: Way, { hostname, origin }: URL): Promise<void> {
  const robots = await way.ask(robotsTxt, { origin });
  if (robots.status === 'unavailable' && NO_ANSWER.has(robots.failure))
    throw new NetError(robots.failure as NetErrorCode, `${hostname}: no answer for its robots.txt`);
  if (robots.status === 'unavailable' && robots.refusal !== undefined) throw robots.refusal;
  if (robots.status === 'unavailable' && robots.failure === 'not_asked')
    throw new NetError('busy', `${hostname}: its robots.txt was not asked`);
  if (robots.status !== 'ok')
    throw keptOut(hostname, 'did not answer properly for its robots.txt, which keeps crawlers out');
  if (robots.found.unreachable)
    throw keptOut(hostname, `answers its robots.txt with status ${robots.found.status}, which keeps crawlers out`);
  if (disallowsRoot(robots.found.robots, ROBOTS_TOKEN))
    throw keptOut(hostname, 'asks not to be fetched in its robots.txt');
}

function keptOut(host: string, why: string): Refusal {
  return new Refusal('robots_txt_disallow', `${host} ${why}; no page of it was fetched.`);
}
