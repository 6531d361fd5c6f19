import { BackendUnavailableError } from './counters.ts';

/** Rejects with `BackendUnavailableError` after `ms` milliseconds; a later result is dropped. */
export function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onTimeout = (): void => reject(new BackendUnavailableError(`no answer within ${ms} ms`));
    // If this process was busy, the answer may already have arrived: it is read before the immediate runs.
    const timer = setTimeout(() => setImmediate(onTimeout), ms);
    promise.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
