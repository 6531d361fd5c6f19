import { setTimeout as sleep } from 'node:timers/promises';
import { CallerDisconnectedError, ApiError } from '../errors.ts';

/** Calls that may wait; one more is refused, whatever its deadline. */
const MAX_WAITING = 512;
/** Of the time that a call has left, the part that it may wait: the rest is for its answer. */
const MAX_WAIT_SHARE = 3 / 4;
/** Weight of the newest measurement in the mean time between two starts. */
const NEWEST_WEIGHT = 0.1;
const POLL_MS = 1;
/** The loop has waited this long for something to do: what was started needs no more of it for now. */
const IDLE_MS = 0.3;
/** The longest wait of the first in the queue, however busy the loop is, and however busy the rest. */
const MAX_TURN_MS = { loop: 50, others: 500 };

interface Waiter {
  readonly latestStart: number;
  readonly start: () => void;
  readonly refuse: (error: ApiError) => void;
}

export interface StartQueueOptions {
  /** Milliseconds on any clock; that of `deadlineAt`. */
  now: () => number;
  /** Resolves when another call may start. */
  untilTurn: () => Promise<void>;
}

/**
 * Starts calls one after another, each when the event loop has been idle since the last start, so that the calls before it are
 * answered in time instead of all of them late. A call that would wait for too much of its time, by the mean time between two starts,
 * is refused when it comes.
 */
export class StartQueue {
  readonly #now: () => number;
  readonly #untilTurn: () => Promise<void>;
  readonly #waiting = new Set<Waiter>();
  #isRunning = false;
  /** Mean time between two starts while calls wait; null before the first. */
  #intervalMs: number | null = null;

  constructor({ now, untilTurn }: StartQueueOptions) {
    this.#now = now;
    this.#untilTurn = untilTurn;
  }

  /**
   * Resolves when the call may start. Rejects with `ApiError` 503 where it cannot be answered by `deadlineAt`, and with
   * `CallerDisconnectedError` when `signal` aborts.
   */
  async wait(deadlineAt: number, signal: AbortSignal): Promise<void> {
    const now = this.#now();
    const latestStart = now + (deadlineAt - now) * MAX_WAIT_SHARE;
    const turns = this.#waiting.size + (this.#isRunning ? 1 : 0);
    const startsAt = now + turns * (this.#intervalMs ?? 0);
    if (this.#waiting.size >= MAX_WAITING || startsAt > latestStart)
      throw busyError(Math.max(startsAt - latestStart, 0));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { latestStart, start: resolve, refuse: reject };
    const leave = (): void => {
      if (this.#waiting.delete(waiter)) reject(new CallerDisconnectedError());
    };
    this.#waiting.add(waiter);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    if (!this.#isRunning) void this.#run();
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let startedAt: number | null = null;
    for (const waiter of this.#waiting) {
      const now = this.#now();
      this.#waiting.delete(waiter);
      if (now > waiter.latestStart) {
        waiter.refuse(busyError(this.#waiting.size * (this.#intervalMs ?? 0)));
        continue;
      }
      if (startedAt !== null) this.#recordInterval(now - startedAt);
      startedAt = now;
      waiter.start();
      await this.#untilTurn();
    }
    this.#isRunning = false;
  }

  #recordInterval(ms: number): void {
    this.#intervalMs = this.#intervalMs === null ? ms : this.#intervalMs + (ms - this.#intervalMs) * NEWEST_WEIGHT;
  }
}

/** `ApiError` 503; `lateMs`: by how much the call came too early. */
function busyError(lateMs: number): ApiError {
  const retryAfterSeconds = Math.max(1, Math.ceil(lateMs / 1000));
  const message = `More is being asked of live sources than can be answered in time. Try again in ${retryAfterSeconds} s.`;
  return new ApiError('not_ready', message, { retryAfterSeconds });
}

/** Resolves when the event loop was idle, after 50 ms at the latest, and nothing else is busy, after half a second at the latest. */
export async function untilIdle(isBusy: () => boolean): Promise<void> {
  const start = performance.now();
  const { idle } = performance.eventLoopUtilization();
  const mustWait = (): boolean => {
    const waited = performance.now() - start;
    if (waited >= MAX_TURN_MS.others) return false;
    return isBusy() || (waited < MAX_TURN_MS.loop && performance.eventLoopUtilization().idle - idle < IDLE_MS);
  };
  do await sleep(POLL_MS);
  while (mustWait());
}
