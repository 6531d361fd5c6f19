import { createLruCache } from '../lru-cache.ts';
import { ApiError } from '../errors.ts';

/** Default limit; a working client stays far below it. */
export const MAX_REFUSED_PER_MINUTE = 600;
const MINUTE_MS = 60_000;
const MAX_ADDRESSES = 20_000;

interface MinuteCount {
  count: number;
  endsAtMs: number;
}

/**
 * Limits the requests per address that are refused without a charge (invalid key, invalid input, unknown path), because they cost
 * work. In memory only, by the pseudonym of the address, in each process separately.
 */
export class RefusedRequestLimiter {
  readonly #maxPerMinute: number;
  readonly #nowMs: () => number;
  readonly #countByAddress = createLruCache<string, MinuteCount>(MAX_ADDRESSES);

  /** `nowMs`: milliseconds of any clock. */
  constructor(maxPerMinute: number, nowMs: () => number) {
    this.#maxPerMinute = maxPerMinute;
    this.#nowMs = nowMs;
  }

  /** False while nothing was refused: then no address needs a lookup. */
  get hasRecords(): boolean {
    return this.#countByAddress.size > 0;
  }

  record(addressPseudonym: string): void {
    const now = this.#nowMs();
    const minute = this.#countByAddress.get(addressPseudonym);
    if (minute !== undefined && minute.endsAtMs > now) minute.count += 1;
    else this.#countByAddress.set(addressPseudonym, { count: 1, endsAtMs: now + MINUTE_MS });
  }

  /** `ApiError` 429 where the address is over its limit in this minute; else null. */
  limitErrorFor(addressPseudonym: string): ApiError | null {
    const minute = this.#countByAddress.get(addressPseudonym);
    if (minute === undefined || minute.count < this.#maxPerMinute) return null;
    const leftMs = minute.endsAtMs - this.#nowMs();
    // More than a minute is left only where the clock was set back.
    if (leftMs <= 0 || leftMs > MINUTE_MS) return null;
    const seconds = Math.ceil(leftMs / 1000);
    return new ApiError(
      'rate_limit_exceeded',
      `${this.#maxPerMinute} requests of this address were refused within a minute. Try again in ${seconds} seconds, with requests that are valid.`,
      { retryAfterSeconds: seconds },
    );
  }
}
