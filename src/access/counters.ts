/**
 * Windows that fill up and open anew: the caller's quota, the throttle of a target. Shared by everything that answers for
 * this installation: processes on one machine, or replicas. An engine in this process answers at once, one elsewhere with
 * a promise, bounded in time: it rejects with `EngineAwayError` when the engine does not answer.
 */
export interface Counters {
  /**
   * Takes tokens from the window `name`, atomically. The window opens with the first token taken and lasts
   * `windowSeconds`; then all is free again. `whole`: all of `amount` or nothing; else as many as are left. What is
   * refused changes nothing, and opens no window.
   */
  consume(name: string, request: ConsumeRequest): ConsumeResult | Promise<ConsumeResult>;
  /** Returns tokens that were taken for nothing, as far as the open window holds any. */
  refund(name: string, amount: number, window: CounterWindow): ConsumeResult | Promise<ConsumeResult>;
  /** The window as it stands, without taking. */
  peek(name: string, window: CounterWindow): ConsumeResult | Promise<ConsumeResult>;
  close(): Promise<void>;
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

/** An engine (Redis, PostgreSQL, a full disk) is away or too slow. The service goes on without it and says `degraded`. */
export class BackendUnavailableError extends Error {
  override readonly name = 'EngineAwayError';
}
