import { type ErrorCode, ApiError } from '../errors.ts';
import type { SourceResult } from '../sources/source.ts';

/**
 * Returns what the target answered, or throws `ApiError`: 404 (or `notFoundCode`) where the name does not exist, 400 where it resolves
 * to an address that is not allowed, 403 where robots.txt disallows it, 429 where the target throttle is reached, 504 at the deadline,
 * 502 for all other failures. `failureText` completes a sentence: `example.com did not answer over TLS on port 443`.
 */
export function requireTargetAnswer<Found>(
  outcome: SourceResult<Found>,
  target: string,
  failureText: string,
  notFoundCode: 'not_found' | 'upstream_error' = 'not_found',
): Found {
  if (outcome.status === 'unavailable' && outcome.refusal === undefined) {
    if (outcome.failure === 'no_such_name') throw nxdomainError(target, notFoundCode);
    if (outcome.failure === 'refused_address') {
      throw new ApiError(
        'invalid_argument',
        `${target} leads to an address that is not public: private, loopback, link-local and reserved addresses are not asked.`,
      );
    }
  }
  return requireSourceAnswer(outcome, target, failureText);
}

/**
 * Returns what a source answered about the target, or throws `ApiError` 502, or 504 at the deadline. The failures of
 * the source's own host name say nothing about the target.
 */
export function requireSourceAnswer<Found>(outcome: SourceResult<Found>, target: string, failureText: string): Found {
  if (outcome.status === 'ok') return outcome.found;
  if (outcome.status === 'unavailable' && outcome.refusal !== undefined) throw outcome.refusal;
  const { reason, failure } = outcome.status === 'unavailable' ? outcome : { reason: 'not configured', failure: null };
  throw new ApiError(
    failure === 'aborted' ? 'upstream_timeout' : 'upstream_error',
    `${target} ${failureText}: ${reason}.`,
  );
}

export function nxdomainError(target: string, code: ErrorCode = 'not_found'): ApiError {
  return new ApiError(code, `${target} does not exist in the DNS (NXDOMAIN).`);
}
