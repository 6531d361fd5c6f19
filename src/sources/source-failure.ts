import { ApiError, overloadedError } from '../errors.ts';
import { NetError } from '../net/net-error.ts';
import type { SourceFailureCode, SourceResult } from './source.ts';

/** A source responded with an HTTP status that means failure. */
export class SourceStatusError extends Error {
  override readonly name = 'SourceStatusError';
  readonly status: number;

  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** Throws `SourceStatusError` for every status but 200. */
export function requireOk(status: number): void {
  if (status !== 200) throw new SourceStatusError(status);
}

type UnavailableResult = Extract<SourceResult<never>, { status: 'unavailable' }>;

export const ABORTED_RESULT: UnavailableResult = {
  status: 'unavailable',
  reason: 'the time for this answer was over',
  timedOut: true,
  failure: 'aborted',
};

export const CIRCUIT_OPEN_RESULT: UnavailableResult = {
  status: 'unavailable',
  reason: 'it failed repeatedly just now and is left alone',
  timedOut: false,
  failure: 'not_asked',
};

/** The result of a question that was not sent because of `refusal`. */
export function refusedResult(error: ApiError): UnavailableResult {
  return { status: 'unavailable', reason: error.message, timedOut: false, failure: 'not_asked', refusal: error };
}

/** A limit of this process was reached; not a failure of the source. */
export function overloadedResult(): UnavailableResult {
  return refusedResult(overloadedError());
}

/** The result of a request that failed with `error`. The reason contains no address and no text of the source. */
export function failedResult(error: unknown, timedOut: boolean): UnavailableResult {
  if (timedOut || (error instanceof NetError && error.code === 'timeout'))
    return { status: 'unavailable', reason: 'it took too long', timedOut: true, failure: 'timeout' };
  const [failure, reason] = describeFailure(error);
  return { status: 'unavailable', reason, timedOut: false, failure };
}

function describeFailure(error: unknown): [SourceFailureCode, string] {
  if (error instanceof NetError) return [error.code, `the connection failed (${error.code})`];
  if (error instanceof SourceStatusError) return ['status', `it answered with status ${error.status}`];
  return ['unreadable', 'its answer could not be read'];
}
