import type { MaybePromise } from './maybe-promise.ts';

/**
 * Fixed-window counters: the caller's quota, the throttle of a target. Shared by all processes and replicas of an installation.
 * Embedded counters answer synchronously; Redis with a promise, bounded in time.
 */
export interface Counters {
  /**
   * Takes tokens from the window `name`, atomically. The window opens with the first token taken and ends after `windowSeconds`.
   * `allOrNothing`: all of `amount` or none; else as many as are left. A refused request changes nothing and opens no window.
   */
  consume(name: string, request: ConsumeRequest): MaybePromise<ConsumeResult>;
  /** Gives tokens back, if the window is still open. */
  refund(name: string, amount: number, window: CounterWindow): MaybePromise<ConsumeResult>;
  /** Reads the window without taking tokens. */
  peek(name: string, window: CounterWindow): MaybePromise<ConsumeResult>;
}

export interface CounterWindow {
  /** At least 1. */
  limit: number;
  windowSeconds: number;
}

export interface ConsumeRequest extends CounterWindow {
  /** At least 1. */
  amount: number;
  allOrNothing: boolean;
}

export interface ConsumeResult {
  granted: number;
  remaining: number;
  /** Seconds until the window ends, 1 to `windowSeconds` while it is open; the whole window when it is not open yet. */
  resetSeconds: number;
}

/** A backend (Redis, PostgreSQL, a full disk) is down or too slow. The service continues without it, with status `degraded`. */
export class BackendUnavailableError extends Error {
  override readonly name = 'BackendUnavailableError';
}
