import { BackendUnavailableError } from './counters.ts';
import { withTimeout } from './with-timeout.ts';

const PROBE_INTERVAL_MS = 1000;
/** Shorter in the first second, when the start waits for the backend. */
const STARTUP_PROBE_INTERVAL_MS = 25;
const STARTUP_PHASE_MS = 1000;

export interface BackendHealthOptions {
  /** Name in `/v1/status` while it is down. */
  name: 'redis' | 'redis_cache' | 'database';
  /** The longest time of one call, in milliseconds. */
  timeoutMs: number;
  /** Resolves when the backend works; bounded in time. */
  probe: () => Promise<void>;
  /** Called once when the backend goes down, and once when it is up again. */
  onProblem: (problem: Error) => void;
}

/**
 * Circuit breaker of a backend: after one failure calls fail at once, until a background probe (once a second) succeeds. Down until
 * first reached.
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

  /** How often the backend went down; state from before the last outage may no longer hold. */
  get outageCount(): number {
    return this.#outageCount;
  }

  /** Waits for the first successful probe, at most `timeoutMs`. Never rejects. */
  async waitUntilUp(timeoutMs: number): Promise<void> {
    await withTimeout(timeoutMs, this.#firstUp.promise).catch((error: unknown) => this.#reportDown(error));
  }

  /**
   * Calls the backend, bounded in time. Rejects with `BackendUnavailableError` at once while it is down, and when the call fails.
   * An error of a working backend (a broken constraint, for instance) is thrown as it is.
   */
  async attempt<T>(
    call: () => Promise<T>,
    isErrorOfWorkingBackend: (error: unknown) => boolean = () => false,
  ): Promise<T> {
    if (!this.#isUp) throw this.#unavailableError();
    try {
      const result = await withTimeout(this.#options.timeoutMs, call());
      this.#lastSuccessMs = performance.now();
      return result;
    } catch (error) {
      if (isErrorOfWorkingBackend(error)) throw error;
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
