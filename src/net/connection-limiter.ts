import type { RequestDeadline } from './request-deadline.ts';

const MAX_WAITERS = 10_000;

interface Waiter {
  key: string | null;
  resume: () => void;
}

/** Limits concurrent calls per key and in total. */
export class ConnectionLimiter {
  readonly #limits: { maxPerKey: number; maxTotal: number };
  readonly #activeByKey = new Map<string, number>();
  readonly #waiters = new Set<Waiter>();
  #activeTotal = 0;

  constructor(limits: { maxPerKey: number; maxTotal: number }) {
    this.#limits = limits;
  }

  /** The total is reached: the next call waits. */
  get isFull(): boolean {
    return this.#activeTotal >= this.#limits.maxTotal;
  }

  /**
   * Resolves with a function that releases the slot. `key` null: counts only in total. Throws `NetError`: `busy` after waiting for half
   * of the time that the call has left, so that this limit is not mistaken for a timeout of the target.
   */
  async acquire(key: string | null, deadline: RequestDeadline): Promise<() => void> {
    if (this.#hasCapacity(key)) this.#countIn(key);
    else await this.#waitForSlot(key, deadline);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#release(key);
    };
  }

  async #waitForSlot(key: string | null, deadline: RequestDeadline): Promise<void> {
    if (this.#waiters.size >= MAX_WAITERS) throw deadline.createError('busy', 'too many connections are open');
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter: Waiter = { key, resume: resolve };
    this.#waiters.add(waiter);
    const timeout = deadline.startTimeout(deadline.remainingMs / 2, 'no free connection', 'busy');
    try {
      await Promise.race([promise, deadline.abortRejection]);
    } catch (error) {
      // The slot was granted just before the deadline ended.
      if (!this.#waiters.delete(waiter)) this.#release(key);
      throw error;
    } finally {
      clearTimeout(timeout);
    }
  }

  #hasCapacity(key: string | null): boolean {
    return (
      this.#activeTotal < this.#limits.maxTotal &&
      (key === null || (this.#activeByKey.get(key) ?? 0) < this.#limits.maxPerKey)
    );
  }

  #countIn(key: string | null): void {
    this.#activeTotal++;
    if (key !== null) this.#activeByKey.set(key, (this.#activeByKey.get(key) ?? 0) + 1);
  }

  #release(key: string | null): void {
    this.#activeTotal--;
    if (key !== null) {
      const left = this.#activeByKey.get(key)! - 1;
      if (left === 0) this.#activeByKey.delete(key);
      else this.#activeByKey.set(key, left);
    }
    for (const waiter of this.#waiters) {
      if (!this.#hasCapacity(waiter.key)) continue;
      this.#waiters.delete(waiter);
      this.#countIn(waiter.key);
      waiter.resume();
      return;
    }
  }
}
