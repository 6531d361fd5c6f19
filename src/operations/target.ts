import { Refusal } from '../errors.ts';
import type { Outcome } from '../sources/source.ts';

/**
 * What the target itself said, without which there is no answer. Else throws: 404 where the name does not exist, 400 where it leads
 * to an address that must not be reached, 403 where its robots.txt keeps us out, 429 where it was asked about
 * too often, 504 where the time for the answer was over, 502 for all other failures.
 * `what` ends a sentence: `example.com did not answer over TLS on port 443`.
 */
export function required<Found>(outcome: Outcome<Found>, target: string, what: string): Found {
  if (outcome.status === 'ok') return outcome.found;
  if (outcome.status === 'unavailable' && outcome.refusal !== undefined) throw outcome.refusal;
  const failure = outcome.status === 'unavailable' ? outcome.failure : 'not_asked';
  if (failure === 'no_such_name') throw noSuchName(target);
  if (failure === 'refused_address') {
    throw new Refusal(
      'invalid_argument',
      `${target} leads to an address that is not public: private, loopback, link-local and reserved addresses are not asked.`,
    );
  }
  const reason = outcome.status === 'unavailable' ? outcome.reason : 'not configured';
  throw new Refusal(failure === 'aborted' ? 'upstream_timeout' : 'upstream_error', `${target} ${what}: ${reason}.`);
}

export function noSuchName(target: string): Refusal {
  return new Refusal('not_found', `${target} does not exist in the DNS (NXDOMAIN).`);
}
