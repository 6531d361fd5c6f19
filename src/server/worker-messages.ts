import type { Snapshot } from '../metrics/metrics.ts';

/** `id` joins an answer with its question. */
export type ToWorker =
  | { type: 'refresh' }
  | { type: 'stop' }
  /** Whether the worker still answers. */
  | { type: 'ping' }
  | { type: 'snapshot'; id: number }
  | { type: 'metrics'; id: number; text: string | null };

export type FromWorker =
  | { type: 'pong' }
  /** What this worker counted. */
  | { type: 'snapshot'; id: number; snapshot: Snapshot }
  /** Asks for what all workers counted. */
  | { type: 'metrics'; id: number };

/** Questions that another process answers, each within a time; an answer that comes later is dropped. */
export class Questions<Answer> {
  readonly #waiting = new Map<number, (answer: Answer | null) => void>();
  readonly #withinMs: number;
  #asked = 0;

  constructor(withinMs: number) {
    this.#withinMs = withinMs;
  }

  /** Null where no answer came in time. */
  ask(send: (id: number) => void): Promise<Answer | null> {
    const id = ++this.#asked;
    return new Promise((resolve) => {
      const late = setTimeout(() => this.answer(id, null), this.#withinMs);
      this.#waiting.set(id, (answer) => {
        clearTimeout(late);
        resolve(answer);
      });
      send(id);
    });
  }

  answer(id: number, answer: Answer | null): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }
}
