import { setTimeout as pause } from 'node:timers/promises';
import type { DeliveryQueue, QueuedDelivery } from './delivery-queue.ts';

/** Deliveries under way at the same time. */
const MAX_CONCURRENT = 64;
const POLL_INTERVAL_MS = 1000;
/** After an error of the queue or the store. */
const ERROR_PAUSE_MS = 5000;

interface WorkerDeps {
  queue: DeliveryQueue;
  /** Sends a delivery; gives when it is due, where it is not yet (milliseconds since 1970). */
  send: (deliveryId: string) => Promise<number | null>;
  onProblem: (problem: Error) => void;
  pollIntervalMs?: number;
}

/** Sends what is due until it is stopped: several at a time, those of one lane one after another. */
export class DeliveryWorker {
  readonly #deps: WorkerDeps;
  /** Lanes with a delivery under way. */
  readonly #busy = new Map<string, Promise<void>>();
  #wake = (): void => {};

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
  }

  /** Sends until the signal is aborted, and waits for what is under way. */
  async run(signal: AbortSignal): Promise<void> {
    const { queue, onProblem, pollIntervalMs = POLL_INTERVAL_MS } = this.#deps;
    while (!signal.aborted) {
      let pauseMs = pollIntervalMs;
      try {
        for (const taken of await queue.take(MAX_CONCURRENT - this.#busy.size, [...this.#busy.keys()]))
          this.#start(taken, signal);
      } catch (error) {
        onProblem(error as Error);
        pauseMs = ERROR_PAUSE_MS;
      }
      await this.#sleep(pauseMs, signal);
    }
    await Promise.all(this.#busy.values());
  }

  /** Sends all that is due now, each once; gives how many. */
  async runOnce(signal: AbortSignal): Promise<number> {
    const { queue } = this.#deps;
    const started = new Set<string>();
    while (!signal.aborted) {
      const taken = await queue.take(MAX_CONCURRENT - this.#busy.size, [...this.#busy.keys()]);
      const fresh = taken.filter(({ deliveryId }) => !started.has(deliveryId));
      for (const each of fresh) {
        started.add(each.deliveryId);
        this.#start(each, signal);
      }
      if (this.#busy.size === 0) return started.size;
      await Promise.race(this.#busy.values());
    }
    await Promise.all(this.#busy.values());
    return started.size;
  }

  #start(taken: QueuedDelivery, signal: AbortSignal): void {
    const { queue, send, onProblem } = this.#deps;
    const work = (async () => {
      try {
        const dueAt = await send(taken.deliveryId);
        await (dueAt === null ? queue.done(taken) : queue.putBack(taken, dueAt));
      } catch (error) {
        onProblem(error as Error);
        // The store may be away: not again at once.
        await pause(ERROR_PAUSE_MS, undefined, { signal }).catch(() => {});
      } finally {
        this.#busy.delete(taken.lane);
        this.#wake();
      }
    })();
    this.#busy.set(taken.lane, work);
  }

  /** Ends early where a delivery has ended, whose lane may have more. */
  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await pause(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => {});
  }
}
