import { BackendUnavailableError } from './counters.ts';

/** Waits for work, at most that long; then rejects with `EngineAwayError`. What comes of the work later is dropped. */
export function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const tooLate = (): void => reject(new BackendUnavailableError(`no answer within ${ms} ms`));
    // An answer that lies unread because this process was busy is not late: it is read before the immediate runs.
    const late = setTimeout(() => setImmediate(tooLate), ms);
    work.finally(() => clearTimeout(late)).then(resolve, reject);
  });
}
