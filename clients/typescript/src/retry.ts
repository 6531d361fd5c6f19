/** Statuses of errors that pass: a quota or a throttle, and a service that starts, stops or is too busy. */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([429, 503]);
const FIRST_WAIT_SECONDS = 1;
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * `Retry-After` in seconds, from either of its forms (RFC 9110, 10.2.3); null where it is absent or not readable.
 * A date in the past is 0.
 */
export function parseRetryAfter(value: string | null, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // An HTTP date begins with the name of the day; `Date.parse` alone would take "-5" for a year.
  const time = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : Math.max(0, Math.ceil((time - nowMs) / 1000));
}

/**
 * Milliseconds to wait before the next attempt; null: there is none. It waits as long as the service asks for, and where the service
 * does not say, 1, 2, 4, ... seconds. A wait over the bound is not begun: the error says how long it would be.
 */
export function retryWaitMs(
  status: number,
  retryAfterSeconds: number | null,
  attempt: number,
  { maxRetries, maxRetryWaitMs }: { maxRetries: number; maxRetryWaitMs: number },
): number | null {
  if (!RETRIED_STATUSES.has(status) || attempt >= maxRetries) return null;
  const waitMs = (retryAfterSeconds ?? FIRST_WAIT_SECONDS * 2 ** attempt) * 1000;
  return waitMs <= maxRetryWaitMs ? waitMs : null;
}

/** Resolves after a time; rejects with the reason of the signal as soon as that is aborted. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(milliseconds, MAX_TIMER_MS),
    );
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/**
 * Runs work with a signal that is aborted by the caller's signal, or after a time with the error that `timeoutError` makes; rejects
 * with that reason, whatever the work made of it.
 */
export async function withTimeout<Result>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  timeoutError: () => Error,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  // `AbortSignal.any` would do the same, but the first versions of Node 20 lack it.
  const controller = new AbortController();
  const cancel = (): void => controller.abort(signal!.reason);
  signal?.addEventListener('abort', cancel, { once: true });
  const timer = setTimeout(() => controller.abort(timeoutError()), Math.min(timeoutMs, MAX_TIMER_MS));
  try {
    return await work(controller.signal);
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}
