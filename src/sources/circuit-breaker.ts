const FAILURE_THRESHOLD = 5;
const OPEN_MS = 30_000;

/**
 * Keeps requests from a source that failed five times in a row, for 30 s: callers need not wait for what is down. Then one request
 * is let through as a trial, and its outcome closes or opens the circuit. Times are milliseconds since 1970.
 */
export class CircuitBreaker {
  #consecutiveFailures = 0;
  #openUntil = 0;
  #hasTrial = false;

  /** Whether a request may be sent. The caller reports its outcome, `recordNothing` where it says nothing of the source. */
  allowsRequest(now: number): boolean {
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

  /** Lets the next request be the trial, in place of one that came to nothing. */
  recordNothing(now: number): void {
    if (this.#hasTrial) this.#openUntil = now;
    this.#hasTrial = false;
  }
}
