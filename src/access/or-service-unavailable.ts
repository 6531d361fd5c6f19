import { notReadyError } from '../errors.ts';
import { BackendUnavailableError } from './counters.ts';

/** What an engine gives; where it is away, a `ApiError` 503 `not_ready`. */
export async function orServiceUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof BackendUnavailableError)) throw error;
    throw notReadyError('What is remembered of callers cannot be read at the moment.');
  }
}
