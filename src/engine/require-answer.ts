import { type ErrorCode, ApiError } from '../errors.ts';
import type { SourceResult } from '../sources/source.ts';

/**
 * What the target itself said, without which there is no answer. Else throws: 404 (or `missing`) where the name does not exist, 400
 * where it leads to an address that must not be reached, 403 where its robots.txt keeps us out, 429 where it was asked about too
 * often, 504 where the time for the answer was over, 502 for all other failures.
 * `what` ends a sentence: `example.com did not answer over TLS on port 443`.
 */
export function requireTargetAnswer<Found>(
  outcome: SourceResult<Found>,
  target: string,
  what: string,
  missing: 'not_found' | 'upstream_error' = 'not_found',
): Found {
  if (outcome.status === 'unavailable' && outcome.refusal === undefined) {
    if (outcome.failure === 'no_such_name') throw nxdomainError(target, missing);
    if (outcome.failure === 'refused_address') {
      throw new ApiError(
        'invalid_argument',
        `${target} leads to an address that is not public: private, loopback, link-local and reserved addresses are not asked.`,
      );
    }
  }
  return requireSourceAnswer(outcome, target, what);
}

/**
 * What a source said of the target, without which there is no answer. Else throws 502, or 504 where the time for the answer was over:
 * that the source's own name does not exist, or leads to an address that must not be reached, says nothing of the target.
 */
export function requireSourceAnswer<Found>(outcome: SourceResult<Found>, target: string, what: string): Found {
  if (outcome.status === 'ok') return outcome.found;
  if (outcome.status === 'unavailable' && outcome.refusal !== undefined) throw outcome.refusal;
  const { reason, failure } = outcome.status === 'unavailable' ? outcome : { reason: 'not configured', failure: null };
  throw new ApiError(failure === 'aborted' ? 'upstream_timeout' : 'upstream_error', `${target} ${what}: ${reason}.`);
}

export function nxdomainError(target: string, code: ErrorCode = 'not_found'): ApiError {
  return new ApiError(code, `${target} does not exist in the DNS (NXDOMAIN).`);
}
