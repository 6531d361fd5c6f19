import { notReadyError } from '../errors.ts';
import { BackendUnavailableError } from './counters.ts';

/** Turns `BackendUnavailableError` into `ApiError` 503 `not_ready`. */
export async function orServiceUnavailable<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    if (!(error instanceof BackendUnavailableError)) throw error;
    throw notReadyError('What is remembered of callers cannot be read at the moment.');
  }
}
