import { onAbort } from '../net/on-abort.ts';

/** Waiting requests for each slot of a source. */
const QUEUE_LENGTH_PER_SLOT = 4;
const MIN_QUEUE_LENGTH = 200;

/** Limits the concurrent requests to one source; a limited number of others wait in order of arrival. */
export class RequestSlots {
  readonly #size: number;
  readonly #waiters: (() => void)[] = [];
  #used = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** Waits for a slot; false: none within `maxWaitMs`, the queue is full, or `signal` aborted. The caller releases a granted slot. */
  async tryAcquire(maxWaitMs: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#used < this.#size) {
      this.#used++;
      return true;
    }
    if (this.#waiters.length >= Math.max(MIN_QUEUE_LENGTH, this.#size * QUEUE_LENGTH_PER_SLOT)) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const grant = (): void => resolve(true);
    const leave = (): void => {
      const index = this.#waiters.indexOf(grant);
      if (index !== -1) this.#waiters.splice(index, 1);
      resolve(false);
    };
    const timeout = setTimeout(leave, maxWaitMs);
    const removeListener = onAbort(signal, leave);
    this.#waiters.push(grant);
    try {
      return await promise;
    } finally {
      clearTimeout(timeout);
      removeListener();
    }
  }

  release(): void {
    const grantNext = this.#waiters.shift();
    if (grantNext === undefined) this.#used--;
    else grantNext();
  }
}
