import { NetError, toNetError } from './net-error.ts';

/** One request with all its hops and its body, under one clock; it ends by itself, by a bound, or by the caller. */
export class Exchange {
  /** Whom the current hop asks. */
  host: string;
  /** Rejects when the exchange is ended early. */
  readonly aborted: Promise<never>;
  readonly #own = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #clock: NodeJS.Timeout;
  readonly #endsAt: number;
  readonly #stop = () => this.abort(this.error('aborted', 'stopped by the caller'));

  /** `startedAt`: `performance.now()` when the clock of `totalMs` started. */
  constructor(host: string, totalMs: number, startedAt: number, caller: AbortSignal | undefined) {
    this.host = host;
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => {});
    this.aborted = promise;
    this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
    this.#endsAt = startedAt + totalMs;
    this.#clock = this.limit(this.leftMs, `not done within ${totalMs} ms`);
    this.#caller = caller;
    caller?.addEventListener('abort', this.#stop, { once: true });
    if (caller?.aborted) this.#stop();
  }

  /** Aborted, with a `NetError`, by the caller or by a bound. */
  get signal(): AbortSignal {
    return this.#own.signal;
  }

  /** Milliseconds that are left of the whole. */
  get leftMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  /** Calls `end` when the exchange is ended early, now if it was already. */
  whenAborted(end: () => void): void {
    if (this.signal.aborted) end();
    else this.signal.addEventListener('abort', end, { once: true });
  }

  /** Starts a clock that ends the exchange with `code`, unless it is cleared first. */
  limit(ms: number, message: string, code: NetError['code'] = 'timeout'): NodeJS.Timeout {
    // The socket keeps the process alive, not the wait for it.
    return setTimeout(() => this.abort(this.error(code, message)), ms).unref();
  }

  error(code: NetError['code'], message: string): NetError {
    return new NetError(code, `${this.host}: ${message}`);
  }

  /** What went wrong, as the reader is to see it. */
  failure(error: unknown): NetError {
    return toNetError(error, this.host);
  }

  /** Stops the clock and lets go of the caller. */
  finish(): void {
    clearTimeout(this.#clock);
    this.#caller?.removeEventListener('abort', this.#stop);
  }

  /** Ends it early. */
  abort(reason: NetError): void {
    this.finish();
    this.#own.abort(reason);
  }
}
