import { BackendUnavailableError } from './counters.ts';
import { withTimeout } from './with-timeout.ts';

const PROBE_INTERVAL_MS = 1000;
/** At the start somebody may be waiting for the connection. */
const STARTUP_PROBE_INTERVAL_MS = 25;
const STARTUP_PHASE_MS = 1000;

export interface BackendHealthOptions {
  /** As `/v1/status` says it. */
  name: 'redis' | 'redis_cache' | 'database';
  /** The longest that anybody waits for the engine, in milliseconds. */
  timeoutMs: number;
  /** Resolves when the engine does its work again; bounded in time. */
  probe: () => Promise<void>;
  /** Told once when the engine goes away, and when it is back. */
  onProblem: (problem: Error) => void;
}

/**
 * Knows whether an engine is there. One failure, and nobody waits for it any more until a probe in the background, once a
 * second, finds it working. It counts as away until it was first reached.
 */
export class BackendHealth {
  readonly name: BackendHealthOptions['name'];
  readonly #options: BackendHealthOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #firstUp = Promise.withResolvers<void>();
  readonly #createdAtMs = performance.now();
  #isUp = false;
  #isDownReported = false;
  #isClosed = false;
  #outageCount = 0;
  #lastSuccessMs = 0;
  #pendingProbe: Promise<void> | null = null;

  constructor(options: BackendHealthOptions) {
    this.name = options.name;
    this.#options = options;
    this.#timer = setInterval(() => this.#probeIfDue(), PROBE_INTERVAL_MS).unref();
    this.#probeIfDue();
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** How often it went away so far: what was learned before the last time may no longer hold. */
  get outageCount(): number {
    return this.#outageCount;
  }

  /** Waits for the first probe that succeeds, at most that long. Never rejects. */
  async waitUntilUp(withinMs: number): Promise<void> {
    await withTimeout(withinMs, this.#firstUp.promise).catch((error: unknown) => this.#reportDown(error));
  }

  /**
   * Does work on the engine, bounded in time. Rejects with `EngineAwayError` at once while it is away, and when the work
   * fails; an error that `isAnswer` recognises came from an engine that works, and is thrown as it is.
   */
  async attempt<T>(work: () => Promise<T>, isAnswer: (error: unknown) => boolean = () => false): Promise<T> {
    if (!this.#isUp) throw this.#unavailableError();
    try {
      const result = await withTimeout(this.#options.timeoutMs, work());
      this.#lastSuccessMs = performance.now();
      return result;
    } catch (error) {
      if (isAnswer(error)) throw error;
      if (this.#isUp) this.#markDown(error);
      throw this.#unavailableError(error);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#isUp = false;
    clearInterval(this.#timer);
  }

  #probeIfDue(): void {
    if (this.#pendingProbe !== null) return;
    if (this.#isUp && performance.now() - this.#lastSuccessMs < PROBE_INTERVAL_MS) return;
    this.#pendingProbe = this.#probe().finally(() => {
      this.#pendingProbe = null;
    });
  }

  async #probe(): Promise<void> {
    try {
      await this.#options.probe();
      if (this.#isClosed) return;
      this.#lastSuccessMs = performance.now();
      this.#isUp = true;
      this.#firstUp.resolve();
      if (this.#isDownReported) this.#options.onProblem(new Error(`${this.name} is back`));
      this.#isDownReported = false;
    } catch (error) {
      if (this.#isUp) this.#markDown(error);
      const isStarting = performance.now() - this.#createdAtMs < STARTUP_PHASE_MS && !this.#isClosed;
      if (isStarting) setTimeout(() => this.#probeIfDue(), STARTUP_PROBE_INTERVAL_MS).unref();
    }
  }

  #markDown(cause: unknown): void {
    this.#isUp = false;
    this.#outageCount++;
    this.#reportDown(cause);
  }

  #reportDown(cause: unknown): void {
    if (this.#isDownReported || this.#isClosed) return;
    this.#isDownReported = true;
    this.#options.onProblem(new Error(`${this.name} is away; going on without it`, { cause }));
  }

  #unavailableError(cause?: unknown): BackendUnavailableError {
    return new BackendUnavailableError(`${this.name} is away`, { cause });
  }
}
