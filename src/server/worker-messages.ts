import type { MetricsSnapshot } from '../metrics/metrics.ts';

/** `id` joins an answer with its question. */
export type MessageToWorker =
  | { type: 'refresh' }
  | { type: 'stop' }
  /** Whether the worker still answers. */
  | { type: 'ping' }
  | { type: 'snapshot'; id: number }
  | { type: 'metrics'; id: number; text: string | null };

export type MessageFromWorker =
  | { type: 'pong' }
  /** What this worker counted. */
  | { type: 'snapshot'; id: number; snapshot: MetricsSnapshot }
  /** Asks for what all workers counted. */
  | { type: 'metrics'; id: number };

/** Questions that another process answers, each within a time; an answer that comes later is dropped. */
export class PendingRequests<Answer> {
  readonly #pending = new Map<number, (settle: Answer | null) => void>();
  readonly #timeoutMs: number;
  #lastId = 0;

  constructor(withinMs: number) {
    this.#timeoutMs = withinMs;
  }

  /** Null where no answer came in time. */
  request(send: (id: number) => void): Promise<Answer | null> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const late = setTimeout(() => this.answer(id, null), this.#timeoutMs);
      this.#pending.set(id, (answer) => {
        clearTimeout(late);
        resolve(answer);
      });
      send(id);
    });
  }

  answer(id: number, answer: Answer | null): void {
    this.#pending.get(id)?.(answer);
    this.#pending.delete(id);
  }
}
