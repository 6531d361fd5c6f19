/**
 * Windows that fill up and open anew: the caller's quota, the throttle of a target. Shared by everything that answers for
 * this installation: processes on one machine, or replicas.
 */
export interface Counters {
  /**
   * Takes tokens from the window `name`, atomically. The window opens with the first token taken and lasts
   * `windowSeconds`; then all is free again. `whole`: all of `amount` or nothing; else as many as are left.
   * Bounded in time: rejects with `EngineAwayError` when the engine does not answer.
   */
  take(name: string, request: TakeRequest): Promise<Taken>;
  /** The window as it stands, without taking. */
  look(name: string, request: Pick<TakeRequest, 'limit' | 'windowSeconds'>): Promise<Taken>;
  close(): Promise<void>;
}

export interface TakeRequest {
  amount: number;
  limit: number;
  windowSeconds: number;
  whole: boolean;
}

export interface Taken {
  granted: number;
  remaining: number;
  /** Seconds until the window ends, at least 1 while it is open; the whole window when it is not open yet. */
  resetSeconds: number;
}

/** A shared engine (Redis, PostgreSQL) is away or too slow. The service goes on without it and says `degraded`. */
export class EngineAwayError extends Error {
  override readonly name = 'EngineAwayError';
}
