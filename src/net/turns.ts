import type { Exchange } from './exchange.ts';

const MAX_WAITING = 10_000;

interface Waiting {
  key: string | null;
  go: () => void;
}

/** How many exchanges are under way at once, with one target and in all. Those who wait do so inside their own time. */
export class Turns {
  readonly #perKey: number;
  readonly #inAll: number;
  readonly #underway = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #all = 0;

  constructor(bounds: { perKey: number; inAll: number }) {
    this.#perKey = bounds.perKey;
    this.#inAll = bounds.inAll;
  }

  /** `key` null: counts only in all. Resolves with what gives the turn back. Throws `NetError` when the exchange ends first. */
  async take(key: string | null, exchange: Exchange): Promise<() => void> {
    if (!this.#isFree(key)) {
      if (this.#waiting.size >= MAX_WAITING) throw exchange.error('busy', 'too much is under way');
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiting: Waiting = { key, go: resolve };
      this.#waiting.add(waiting);
      exchange.whenAborted(() => this.#waiting.delete(waiting));
      await Promise.race([promise, exchange.aborted]);
    } else {
      this.#enter(key);
    }
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#leave(key);
    };
  }

  #isFree(key: string | null): boolean {
    return this.#all < this.#inAll && (key === null || (this.#underway.get(key) ?? 0) < this.#perKey);
  }

  #enter(key: string | null): void {
    this.#all++;
    if (key !== null) this.#underway.set(key, (this.#underway.get(key) ?? 0) + 1);
  }

  #leave(key: string | null): void {
    this.#all--;
    if (key !== null) {
      const left = this.#underway.get(key)! - 1;
      if (left === 0) this.#underway.delete(key);
      else this.#underway.set(key, left);
    }
    for (const waiting of this.#waiting) {
      if (!this.#isFree(waiting.key)) continue;
      this.#waiting.delete(waiting);
      this.#enter(waiting.key);
      waiting.go();
      return;
    }
  }
}
