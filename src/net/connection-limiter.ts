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
  async acquire(key: string | null, exchange: RequestDeadline): Promise<() => void> {
    if (!this.#hasCapacity(key)) {
      if (this.#waiters.size >= MAX_WAITERS) throw exchange.createError('busy', 'too much is under way');
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiting: Waiter = { key, resume: resolve };
      this.#waiters.add(waiting);
      exchange.onAbort(() => this.#waiters.delete(waiting));
      await Promise.race([promise, exchange.abortRejection]);
    } else {
      this.#countIn(key);
    }
    let given = false;
    return () => {
      if (given) return;
      given = true;
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
    for (const waiting of this.#waiters) {
      if (!this.#hasCapacity(waiting.key)) continue;
      this.#waiters.delete(waiting);
      this.#countIn(waiting.key);
      waiting.resume();
      return;
    }
  }
}
