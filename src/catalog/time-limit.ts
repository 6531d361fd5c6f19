import { SyncRefusal } from './sync-errors.ts';

/** A bound of time: a signal for what waits, and `check` for work that leaves timers no turn. Dispose of it when done. */
export class TimeLimit implements Disposable {
  /** Aborted when the time is over (with a `SyncRefusal` as reason) or when the caller stops. */
  readonly signal: AbortSignal;
  readonly #over = new AbortController();
  readonly #text: string;
  readonly #end: number;
  readonly #timer: NodeJS.Timeout;

  /** `text` says what took too long. */
  constructor(ms: number, text: string, caller?: AbortSignal) {
    this.#text = text;
    this.#end = performance.now() + ms;
    this.#timer = setTimeout(() => this.#expire(), ms);
    this.signal = caller === undefined ? this.#over.signal : AbortSignal.any([this.#over.signal, caller]);
  }

  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** Throws once the time is over or the caller stopped. */
  check(): void {
    if (performance.now() >= this.#end) this.#expire();
    this.signal.throwIfAborted();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #expire(): void {
    this.#over.abort(new SyncRefusal(this.#text));
  }
}

/** `90 seconds`, `60 minutes`. */
export function durationText(ms: number): string {
  return ms < 120_000 ? `${ms / 1000} seconds` : `${Math.round(ms / 60_000)} minutes`;
}
