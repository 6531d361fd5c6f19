import { NetError, toNetError } from './net-error.ts';
import { onAbort } from './on-abort.ts';

/** Nobody sees it: the call has its outcome. Made once. */
const CALL_IS_OVER = new NetError('aborted', 'the call is over');

/** The time limit of one outgoing call with all its hops and its body: ends on completion, on timeout, or when the caller aborts. */
export class RequestDeadline {
  /** The host of the current hop, for error messages. */
  host: string;
  /** Rejects when the call is aborted. */
  readonly abortRejection: Promise<never>;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #endsAt: number;
  #removeCallerListener = (): void => {};

  /** `startedAt`: `performance.now()` when the time of `totalMs` started. */
  constructor(host: string, totalMs: number, startedAt: number, caller: AbortSignal | undefined) {
    this.host = host;
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => {});
    this.abortRejection = promise;
    this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
    this.#endsAt = startedAt + totalMs;
    this.#timer = this.startTimeout(this.remainingMs, `not done within ${totalMs} ms`);
    if (caller !== undefined) {
      const stop = (): void => this.abort(this.createError('aborted', 'stopped by the caller'));
      this.#removeCallerListener = onAbort(caller, stop);
    }
  }

  /** Aborted with a `NetError`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Milliseconds that are left. */
  get remainingMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  /** Calls `listener` when the call is aborted, at once if it has been already. */
  onAbort(listener: () => void): void {
    onAbort(this.signal, listener);
  }

  /** Starts a timer that aborts the call with `code`, unless it is cleared first. */
  startTimeout(ms: number, message: string, code: NetError['code'] = 'timeout'): NodeJS.Timeout {
    // Unreferenced: the socket keeps the process alive, not this timer.
    return setTimeout(() => this.abort(this.createError(code, message)), ms).unref();
  }

  createError(code: NetError['code'], message: string): NetError {
    return new NetError(code, `${this.host}: ${message}`);
  }

  /** The error of the current hop as a `NetError`. */
  toNetError(error: unknown): NetError {
    return toNetError(error, this.host);
  }

  /** Stops the timer and removes the listener from the caller's signal. */
  stopTotalTimeout(): void {
    clearTimeout(this.#timer);
    this.#removeCallerListener();
  }

  /** Aborts what still runs for a call that is over: a second lookup, another attempt to connect. */
  end(): void {
    this.abort(CALL_IS_OVER);
  }

  abort(reason: NetError): void {
    this.stopTotalTimeout();
    this.#controller.abort(reason);
  }
}
