import { FeedRejectedError } from './sync-errors.ts';

/** A time limit: `signal` is for work that waits, `throwIfExpired` for work that keeps the event loop busy. Dispose of it at the end. */
export class Deadline implements Disposable {
  /** Aborted when the time is over (reason: a `FeedRejectedError`) or when the caller stops. */
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #message: string;
  readonly #endsAtMs: number;
  readonly #timer: NodeJS.Timeout;

  /** `message` says what took too long. */
  constructor(ms: number, message: string, caller?: AbortSignal) {
    this.#message = message;
    this.#endsAtMs = performance.now() + ms;
    // Timers count whole milliseconds and may fire a part of one early; when this one fires, the clock says so, too.
    this.#timer = setTimeout(() => this.#expire(), Math.ceil(ms) + 1);
    this.signal = caller === undefined ? this.#controller.signal : AbortSignal.any([this.#controller.signal, caller]);
  }

  get isExpired(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Throws once the time is over or the caller stopped. */
  throwIfExpired(): void {
    if (performance.now() >= this.#endsAtMs) this.#expire();
    this.signal.throwIfAborted();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #expire(): void {
    this.#controller.abort(new FeedRejectedError(this.#message));
  }
}

/** `90 seconds`, `60 minutes`. */
export function formatDuration(ms: number): string {
  return ms < 120_000 ? `${ms / 1000} seconds` : `${Math.round(ms / 60_000)} minutes`;
}
