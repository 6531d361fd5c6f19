import { NetError, toNetError } from './net-error.ts';

/** One request with all its hops and its body, under one clock; it ends by itself, by a bound, or by the caller. */
export class RequestDeadline {
  /** Whom the current hop asks. */
  host: string;
  /** Rejects when the exchange is ended early. */
  readonly abortRejection: Promise<never>;
  readonly #controller = new AbortController();
  readonly #callerSignal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #endsAt: number;
  readonly #onCallerAbort = () => this.abort(this.createError('aborted', 'stopped by the caller'));

  /** `startedAt`: `performance.now()` when the clock of `totalMs` started. */
  constructor(host: string, totalMs: number, startedAt: number, caller: AbortSignal | undefined) {
    this.host = host;
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => {});
    this.abortRejection = promise;
    this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
    this.#endsAt = startedAt + totalMs;
    this.#timer = this.startTimeout(this.remainingMs, `not done within ${totalMs} ms`);
    this.#callerSignal = caller;
    caller?.addEventListener('abort', this.#onCallerAbort, { once: true });
    if (caller?.aborted) this.#onCallerAbort();
  }

  /** Aborted, with a `NetError`, by the caller or by a bound. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Milliseconds that are left of the whole. */
  get remainingMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  /** Calls `end` when the exchange is ended early, now if it was already. */
  onAbort(end: () => void): void {
    if (this.signal.aborted) end();
    else this.signal.addEventListener('abort', end, { once: true });
  }

  /** Starts a clock that ends the exchange with `code`, unless it is cleared first. */
  startTimeout(ms: number, message: string, code: NetError['code'] = 'timeout'): NodeJS.Timeout {
    // The socket keeps the process alive, not the wait for it.
    return setTimeout(() => this.abort(this.createError(code, message)), ms).unref();
  }

  createError(code: NetError['code'], message: string): NetError {
    return new NetError(code, `${this.host}: ${message}`);
  }

  /** What went wrong, as the reader is to see it. */
  toNetError(error: unknown): NetError {
    return toNetError(error, this.host);
  }

  /** Stops the clock and lets go of the caller. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#callerSignal?.removeEventListener('abort', this.#onCallerAbort);
  }

  /** Ends it early. */
  abort(reason: NetError): void {
    this.clear();
    this.#controller.abort(reason);
  }
}
