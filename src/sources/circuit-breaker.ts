const FAILURE_THRESHOLD = 5;
const OPEN_MS = 30_000;

/**
 * Blocks requests to a source for 30 s after five failures in a row, so that callers do not wait for a source that is down. Then one
 * request is allowed as a trial; its outcome closes or opens the circuit. Times are milliseconds since 1970.
 */
export class CircuitBreaker {
  #consecutiveFailures = 0;
  #openUntil = 0;
  #hasTrial = false;

  /**
   * True if a request may be sent; after the pause this takes the one trial. The caller records the outcome of each request that was
   * allowed; `recordNothing`: the outcome says nothing about the source.
   */
  tryStartRequest(now: number): boolean {
    if (this.#consecutiveFailures < FAILURE_THRESHOLD) return true;
    if (now < this.#openUntil) return false;
    this.#openUntil = now + OPEN_MS;
    this.#hasTrial = true;
    return true;
  }

  recordSuccess(): void {
    this.#consecutiveFailures = 0;
    this.#hasTrial = false;
  }

  recordFailure(now: number): void {
    this.#hasTrial = false;
    if (++this.#consecutiveFailures >= FAILURE_THRESHOLD) this.#openUntil = now + OPEN_MS;
  }

  /** If this request was the trial, the next one becomes the trial. */
  recordNothing(now: number): void {
    if (this.#hasTrial) this.#openUntil = now;
    this.#hasTrial = false;
  }
}
