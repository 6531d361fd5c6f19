import type { RequestDeadline } from './request-deadline.ts';

const MAX_WAITERS = 10_000;

interface Waiter {
  key: string | null;
  resume: () => void;
}

/** How many exchanges are under way at once, with one target and in all. Those who wait do so inside their own time. */
export class ConnectionLimiter {
  readonly #maxPerKey: number;
  readonly #maxTotal: number;
  readonly #activeByKey = new Map<string, number>();
  readonly #waiters = new Set<Waiter>();
  #activeTotal = 0;

  constructor(bounds: { perKey: number; inAll: number }) {
    this.#maxPerKey = bounds.perKey;
    this.#maxTotal = bounds.inAll;
  }

  /** `key` null: counts only in all. Resolves with what gives the turn back. Throws `NetError` when the exchange ends first. */
  async acquire(key: string | null, deadline: RequestDeadline): Promise<() => void> {
    if (!this.#hasCapacity(key)) {
      if (this.#waiters.size >= MAX_WAITERS) throw deadline.createError('busy', 'too much is under way');
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiter: Waiter = { key, resume: resolve };
      this.#waiters.add(waiter);
      deadline.onAbort(() => this.#waiters.delete(waiter));
      await Promise.race([promise, deadline.abortRejection]);
    } else {
      this.#countIn(key);
    }
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#release(key);
    };
  }

  #hasCapacity(key: string | null): boolean {
    return this.#activeTotal < this.#maxTotal && (key === null || (this.#activeByKey.get(key) ?? 0) < this.#maxPerKey);
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
