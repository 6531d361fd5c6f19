import type { LRUCache } from 'lru-cache';
import { createLruCache } from '../lru-cache.ts';
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
  /** The outage count when the backend last reported the window; null where tokens were taken locally since. */
  syncedAtOutage: number | null;
}

const CLOSED_WINDOW: WindowState = { used: 0, leftMs: 0 };

/**
 * Windows of a shared backend as this process knows them; it counts with them while the backend is down. It never grants more than
 * the limit of a window, tokens that the backend granted through this process included: N replicas grant at most N times the limit.
 */
export class LocalCounters {
  readonly #nowMs: () => number;
  readonly #entries: LRUCache<string, WindowEntry>;

  /** `nowMs`: monotonic milliseconds. */
  constructor(nowMs: () => number = () => performance.now(), maxWindows = MAX_WINDOWS) {
    this.#nowMs = nowMs;
    this.#entries = createLruCache(maxWindows);
  }

  /** State that the shared counter may have missed or lost; send it with the next request. */
  unsynced(name: string, outageCount: number): WindowState {
    const entry = this.#openEntry(name);
    if (entry === undefined || entry.syncedAtOutage === outageCount) return CLOSED_WINDOW;
    return { used: entry.used, leftMs: entry.endsAtMs - this.#nowMs() };
  }

  /** Applies the state that the shared counter answered, after `reported` was sent. */
  applyRemote(name: string, { used, leftMs }: WindowState, reported: WindowState, outageCount: number): void {
    const entry = this.#openEntry(name);
    // Tokens that were taken here before that answer arrived stay counted.
    const hasNewerLocalTokens = entry !== undefined && entry.syncedAtOutage === null && entry.used > reported.used;
    if (hasNewerLocalTokens) entry.used = Math.max(entry.used, used);
    else if (leftMs <= 0) this.#entries.delete(name);
    else this.#entries.set(name, { used, endsAtMs: this.#nowMs() + leftMs, syncedAtOutage: outageCount });
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
