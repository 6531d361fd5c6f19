import { LRUCache } from 'lru-cache';
import type { ConsumeResult, ConsumeRequest, CounterWindow } from './counters.ts';

const MAX_WINDOWS = 100_000;

/** An open window: tokens used, and milliseconds until it ends (0: not open). */
export interface WindowState {
  used: number;
  leftMs: number;
}

interface WindowEntry {
  used: number;
  /** Monotonic milliseconds. */
  endsAtMs: number;
  /** The count of outages when the engine last said how it stands; null where tokens were taken without it since. */
  syncedAtOutage: number | null;
}

const CLOSED_WINDOW: WindowState = { used: 0, leftMs: 0 };

/**
 * What this process knows of windows that a shared engine counts, and goes on counting with while the engine is away. It
 * never gives more of a window than its limit, what the engine gave through this process included: N replicas together
 * give at most N times the limit.
 */
export class LocalCounters {
  readonly #nowMs: () => number;
  readonly #entries: LRUCache<string, WindowEntry>;

  /** `elapsed`: monotonic milliseconds. */
  constructor(elapsed: () => number = () => performance.now(), maxWindows = MAX_WINDOWS) {
    this.#nowMs = elapsed;
    this.#entries = new LRUCache({ max: maxWindows });
  }

  /** What the engine must be told before it counts on: what it may have missed or forgotten. */
  unsynced(name: string, outages: number): WindowState {
    const entry = this.#openEntry(name);
    if (entry === undefined || entry.syncedAtOutage === outages) return CLOSED_WINDOW;
    return { used: entry.used, leftMs: entry.endsAtMs - this.#nowMs() };
  }

  /** The engine's word on a window, after it was told `told`. */
  applyRemote(name: string, { used, leftMs }: WindowState, told: WindowState, outages: number): void {
    const entry = this.#openEntry(name);
    // Tokens that were taken here while that answer was on its way stay counted.
    const isBehind = entry !== undefined && entry.syncedAtOutage === null && entry.used > told.used;
    if (isBehind) entry.used = Math.max(entry.used, used);
    else if (leftMs <= 0) this.#entries.delete(name);
    else this.#entries.set(name, { used, endsAtMs: this.#nowMs() + leftMs, syncedAtOutage: outages });
  }

  consume(name: string, { amount, allOrNothing, limit, windowSeconds }: ConsumeRequest): ConsumeResult {
    const open = this.#openEntry(name);
    const free = Math.max(0, limit - (open?.used ?? 0));
    const granted = amount <= free ? amount : allOrNothing ? 0 : free;
    if (granted === 0) return this.peek(name, { limit, windowSeconds });
    const entry = open ?? { used: 0, endsAtMs: this.#nowMs() + windowSeconds * 1000, syncedAtOutage: null };
    this.#entries.set(name, { ...entry, used: entry.used + granted, syncedAtOutage: null });
    return { ...this.peek(name, { limit, windowSeconds }), granted };
  }

  refund(name: string, amount: number, window: CounterWindow): ConsumeResult {
    const entry = this.#openEntry(name);
    if (entry !== undefined) entry.used = Math.max(0, entry.used - amount);
    return this.peek(name, window);
  }

  peek(name: string, window: CounterWindow): ConsumeResult {
    const entry = this.#openEntry(name);
    if (entry === undefined) return toConsumeResult({ granted: 0, ...CLOSED_WINDOW }, window);
    return toConsumeResult({ granted: 0, used: entry.used, leftMs: entry.endsAtMs - this.#nowMs() }, window);
  }

  #openEntry(name: string): WindowEntry | undefined {
    const entry = this.#entries.get(name);
    return entry !== undefined && entry.endsAtMs > this.#nowMs() ? entry : undefined;
  }
}

export function toConsumeResult(
  { granted, used, leftMs }: WindowState & { granted: number },
  { limit, windowSeconds }: CounterWindow,
): ConsumeResult {
  const resetSeconds = leftMs > 0 ? Math.min(windowSeconds, Math.max(1, Math.ceil(leftMs / 1000))) : windowSeconds;
  return { granted, remaining: Math.max(0, limit - used), resetSeconds };
}
