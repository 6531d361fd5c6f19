import { EngineAwayError } from './counters.ts';
import { within } from './within.ts';

const PROBE_EVERY_MS = 1000;
/** At the start somebody may be waiting for the connection. */
const EAGER_EVERY_MS = 25;
const EAGER_FOR_MS = 1000;

export interface PresenceOptions {
  /** As `/v1/status` says it. */
  name: 'redis' | 'redis_cache' | 'database';
  /** The longest that anybody waits for the engine, in milliseconds. */
  withinMs: number;
  /** Resolves when the engine does its work again; bounded in time. */
  probe: () => Promise<void>;
  /** Told once when the engine goes away, and when it is back. */
  onProblem: (problem: Error) => void;
}

/**
 * Knows whether an engine is there. One failure, and nobody waits for it any more until a probe in the background, once a
 * second, finds it working. It counts as away until it was first reached.
 */
export class Presence {
  readonly name: PresenceOptions['name'];
  readonly #options: PresenceOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #first = Promise.withResolvers<void>();
  readonly #beganAt = performance.now();
  #here = false;
  #told = false;
  #closed = false;
  #outages = 0;
  #provenAt = 0;
  #probing: Promise<void> | null = null;

  constructor(options: PresenceOptions) {
    this.name = options.name;
    this.#options = options;
    this.#timer = setInterval(() => this.#check(), PROBE_EVERY_MS).unref();
    this.#check();
  }

  get here(): boolean {
    return this.#here;
  }

  /** How often it went away so far: what was learned before the last time may no longer hold. */
  get outages(): number {
    return this.#outages;
  }

  /** Waits for the first probe that succeeds, at most that long. Never rejects. */
  async started(withinMs: number): Promise<void> {
    await within(withinMs, this.#first.promise).catch((error: unknown) => this.#tell(error));
  }

  /**
   * Does work on the engine, bounded in time. Rejects with `EngineAwayError` at once while it is away, and when the work
   * fails; an error that `isAnswer` recognises came from an engine that works, and is thrown as it is.
   */
  async attempt<T>(work: () => Promise<T>, isAnswer: (error: unknown) => boolean = () => false): Promise<T> {
    if (!this.#here) throw this.#away();
    try {
      const result = await within(this.#options.withinMs, work());
      this.#provenAt = performance.now();
      return result;
    } catch (error) {
      if (isAnswer(error)) throw error;
      if (this.#here) this.#leave(error);
      throw this.#away(error);
    }
  }

  close(): void {
    this.#closed = true;
    this.#here = false;
    clearInterval(this.#timer);
  }

  #check(): void {
    if (this.#probing !== null) return;
    if (this.#here && performance.now() - this.#provenAt < PROBE_EVERY_MS) return;
    this.#probing = this.#probe().finally(() => {
      this.#probing = null;
    });
  }

  async #probe(): Promise<void> {
    try {
      await this.#options.probe();
      if (this.#closed) return;
      this.#provenAt = performance.now();
      this.#here = true;
      this.#first.resolve();
      if (this.#told) this.#options.onProblem(new Error(`${this.name} is back`));
      this.#told = false;
    } catch (error) {
      if (this.#here) this.#leave(error);
      const isStarting = performance.now() - this.#beganAt < EAGER_FOR_MS && !this.#closed;
      if (isStarting) setTimeout(() => this.#check(), EAGER_EVERY_MS).unref();
    }
  }

  #leave(cause: unknown): void {
    this.#here = false;
    this.#outages++;
    this.#tell(cause);
  }

  #tell(cause: unknown): void {
    if (this.#told || this.#closed) return;
    this.#told = true;
    this.#options.onProblem(new Error(`${this.name} is away; going on without it`, { cause }));
  }

  #away(cause?: unknown): EngineAwayError {
    return new EngineAwayError(`${this.name} is away`, { cause });
  }
}
