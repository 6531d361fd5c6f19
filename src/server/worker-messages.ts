import type { MetricsSnapshot } from '../metrics/metrics.ts';

/** `id` correlates a reply with its request. */
export type MessageToWorker =
  | { type: 'refresh' }
  | { type: 'stop' }
  /** Tests whether the worker answers. */
  | { type: 'ping' }
  | { type: 'snapshot_request'; id: number }
  | { type: 'metrics_reply'; id: number; text: string | null };

export type MessageFromWorker =
  | { type: 'pong' }
  /** The metrics of this worker. */
  | { type: 'snapshot_reply'; id: number; snapshot: MetricsSnapshot }
  /** Requests the metrics of all workers. */
  | { type: 'metrics_request'; id: number };

/** Requests to another process, each with a timeout; a later reply is dropped. */
export class PendingRequests<Answer> {
  readonly #pending = new Map<number, (settle: Answer | null) => void>();
  readonly #timeoutMs: number;
  #lastId = 0;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Null after the timeout. */
  request(send: (id: number) => void): Promise<Answer | null> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.settle(id, null), this.#timeoutMs);
      this.#pending.set(id, (settle) => {
        clearTimeout(timer);
        resolve(settle);
      });
      send(id);
    });
  }

  settle(id: number, answer: Answer | null): void {
    this.#pending.get(id)?.(answer);
    this.#pending.delete(id);
  }
}
