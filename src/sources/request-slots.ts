import { onAbort } from '../net/on-abort.ts';

/** Waiting requests for each slot of a source. */
const QUEUE_LENGTH_PER_SLOT = 4;
const MIN_QUEUE_LENGTH = 200;
/** How often those who wait are compared with what the running requests take. */
const CHECK_INTERVAL_MS = 500;
/** Weight of the newest request in the mean time of one. */
const NEWEST_WEIGHT = 0.2;

interface Waiter {
  readonly until: number;
  readonly settle: (release: (() => void) | null) => void;
}

/**
 * Limits the concurrent requests to one source; a limited number of others wait in order of arrival. Who could not get a slot in time, by
 * the time that requests take, is told at once instead of at the end of the wait.
 */
export class RequestSlots {
  readonly #size: number;
  readonly #now: () => number;
  readonly #waiters = new Set<Waiter>();
  /** When the running requests started, in this order. */
  readonly #startedAt = new Set<{ ms: number }>();
  #meanMs = 0;
  #checkTimer: NodeJS.Timeout | undefined;

  /** `now`: milliseconds on any clock. */
  constructor(size: number, now: () => number = () => performance.now()) {
    this.#size = size;
    this.#now = now;
  }

  /** Waits for a slot; gives the function that releases it. Null: none within `maxWaitMs`, the queue is full, or `signal` aborted. */
  async tryAcquire(maxWaitMs: number, signal: AbortSignal): Promise<(() => void) | null> {
    if (signal.aborted) return null;
    if (this.#startedAt.size < this.#size) return this.#take();
    const queued = this.#waiters.size;
    const isFull = queued >= Math.max(MIN_QUEUE_LENGTH, this.#size * QUEUE_LENGTH_PER_SLOT);
    if (isFull || this.#turnsBefore(queued) * this.#requestMs() > maxWaitMs) return null;
    const { promise, resolve } = Promise.withResolvers<(() => void) | null>();
    const waiter: Waiter = { until: this.#now() + maxWaitMs, settle: resolve };
    const leave = (): void => this.#refuse(waiter);
    const timeout = setTimeout(leave, maxWaitMs);
    const removeListener = onAbort(signal, leave);
    this.#waiters.add(waiter);
    this.#checkTimer ??= setInterval(() => this.refuseLate(), CHECK_INTERVAL_MS).unref();
    try {
      return await promise;
    } finally {
      clearTimeout(timeout);
      removeListener();
    }
  }

  /** Refuses those who would wait for too long: called while some wait. */
  refuseLate(): void {
    const now = this.#now();
    const requestMs = this.#requestMs();
    let before = 0;
    for (const waiter of this.#waiters) {
      if (now + this.#turnsBefore(before) * requestMs > waiter.until) this.#refuse(waiter);
      else before++;
    }
  }

  /** How often all slots are used by others before one with so many before it: the running requests may end at any moment. */
  #turnsBefore(waiting: number): number {
    return Math.floor(waiting / this.#size);
  }

  /** What one request takes, as far as is known: the mean of those that ended, or what all that run have taken already. */
  #requestMs(): number {
    const newest = [...this.#startedAt].at(-1);
    return Math.max(this.#meanMs, newest === undefined ? 0 : this.#now() - newest.ms);
  }

  #take(): () => void {
    const started = { ms: this.#now() };
    this.#startedAt.add(started);
    return () => {
      if (!this.#startedAt.delete(started)) return;
      const ms = this.#now() - started.ms;
      this.#meanMs = this.#meanMs === 0 ? ms : this.#meanMs + (ms - this.#meanMs) * NEWEST_WEIGHT;
      const [next] = this.#waiters;
      if (next === undefined) return;
      this.#remove(next);
      next.settle(this.#take());
    };
  }

  #refuse(waiter: Waiter): void {
    this.#remove(waiter);
    waiter.settle(null);
  }

  #remove(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    if (this.#waiters.size > 0) return;
    clearInterval(this.#checkTimer);
    this.#checkTimer = undefined;
  }
}
