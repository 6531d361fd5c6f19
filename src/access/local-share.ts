import { LRUCache } from 'lru-cache';
import type { Taken, TakeRequest, Window } from './counters.ts';

const MAX_WINDOWS = 100_000;

/** An open window: tokens used, and milliseconds until it ends (0: not open). */
export interface Standing {
  used: number;
  leftMs: number;
}

interface Entry {
  used: number;
  /** Monotonic milliseconds. */
  endsAt: number;
  /** The count of outages when the engine last said how it stands; null where tokens were taken without it since. */
  toldAt: number | null;
}

const NOTHING: Standing = { used: 0, leftMs: 0 };

/**
 * What this process knows of windows that a shared engine counts, and goes on counting with while the engine is away. It
 * never gives more of a window than its limit, what the engine gave through this process included: N replicas together
 * give at most N times the limit.
 */
export class LocalShare {
  readonly #elapsed: () => number;
  readonly #entries: LRUCache<string, Entry>;

  /** `elapsed`: monotonic milliseconds. */
  constructor(elapsed: () => number = () => performance.now(), maxWindows = MAX_WINDOWS) {
    this.#elapsed = elapsed;
    this.#entries = new LRUCache({ max: maxWindows });
  }

  /** What the engine must be told before it counts on: what it may have missed or forgotten. */
  untold(name: string, outages: number): Standing {
    const entry = this.#open(name);
    if (entry === undefined || entry.toldAt === outages) return NOTHING;
    return { used: entry.used, leftMs: entry.endsAt - this.#elapsed() };
  }

  /** The engine's word on a window, after it was told `told`. */
  learn(name: string, { used, leftMs }: Standing, told: Standing, outages: number): void {
    const entry = this.#open(name);
    // Tokens that were taken here while that answer was on its way stay counted.
    const isBehind = entry !== undefined && entry.toldAt === null && entry.used > told.used;
    if (isBehind) entry.used = Math.max(entry.used, used);
    else if (leftMs <= 0) this.#entries.delete(name);
    else this.#entries.set(name, { used, endsAt: this.#elapsed() + leftMs, toldAt: outages });
  }

  take(name: string, { amount, whole, limit, windowSeconds }: TakeRequest): Taken {
    const open = this.#open(name);
    const free = Math.max(0, limit - (open?.used ?? 0));
    const granted = amount <= free ? amount : whole ? 0 : free;
    if (granted === 0) return this.look(name, { limit, windowSeconds });
    const entry = open ?? { used: 0, endsAt: this.#elapsed() + windowSeconds * 1000, toldAt: null };
    this.#entries.set(name, { ...entry, used: entry.used + granted, toldAt: null });
    return { ...this.look(name, { limit, windowSeconds }), granted };
  }

  giveBack(name: string, amount: number, window: Window): Taken {
    const entry = this.#open(name);
    if (entry !== undefined) entry.used = Math.max(0, entry.used - amount);
    return this.look(name, window);
  }

  look(name: string, window: Window): Taken {
    const entry = this.#open(name);
    if (entry === undefined) return takenOf({ granted: 0, ...NOTHING }, window);
    return takenOf({ granted: 0, used: entry.used, leftMs: entry.endsAt - this.#elapsed() }, window);
  }

  #open(name: string): Entry | undefined {
    const entry = this.#entries.get(name);
    return entry !== undefined && entry.endsAt > this.#elapsed() ? entry : undefined;
  }
}

export function takenOf(
  { granted, used, leftMs }: Standing & { granted: number },
  { limit, windowSeconds }: Window,
): Taken {
  const resetSeconds = leftMs > 0 ? Math.min(windowSeconds, Math.max(1, Math.ceil(leftMs / 1000))) : windowSeconds;
  return { granted, remaining: Math.max(0, limit - used), resetSeconds };
}
