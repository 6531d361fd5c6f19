import { ApiError } from '../errors.ts';
import { BackendUnavailableError } from './counters.ts';

const RETRY_AFTER_SECONDS = 5;

/** What an engine gives; where it is away, a `ApiError` 503 `not_ready`. */
export async function orServiceUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof BackendUnavailableError)) throw error;
    throw new ApiError(
      'not_ready',
      'What is remembered of callers cannot be read at the moment. Try again in a few seconds.',
      {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      },
    );
  }
}
