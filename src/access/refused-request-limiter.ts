import { LRUCache } from 'lru-cache';
import { ApiError } from '../errors.ts';

/** Requests of one address that may be refused without a charge within a minute: far more than a client that works ever has. */
export const MAX_REFUSED_PER_MINUTE = 600;
const MINUTE_MS = 60_000;
const MAX_ADDRESSES = 20_000;

interface MinuteCount {
  count: number;
  endsAtMs: number;
}

/**
 * Counts what is refused without a charge (an invalid key, invalid input, an unknown path): it is work that nobody
 * pays for. In memory, by the pseudonym of the address, each process for itself; nothing of it is written down.
 */
export class RefusedRequestLimiter {
  readonly #maxPerMinute: number;
  readonly #nowMs: () => number;
  readonly #countByAddress = new LRUCache<string, MinuteCount>({ max: MAX_ADDRESSES });

  /** `elapsed`: milliseconds of a clock that goes on. */
  constructor(perMinute: number, elapsed: () => number) {
    this.#maxPerMinute = perMinute;
    this.#nowMs = elapsed;
  }

  /** False while nothing was refused lately: then nobody has to be looked up. */
  get hasRecords(): boolean {
    return this.#countByAddress.size > 0;
  }

  record(address: string): void {
    const now = this.#nowMs();
    const open = this.#countByAddress.get(address);
    if (open !== undefined && open.endsAtMs > now) open.count += 1;
    else this.#countByAddress.set(address, { count: 1, endsAtMs: now + MINUTE_MS });
  }

  /** Why nothing more is read from this address before its minute is over; null where there is no reason. */
  limitErrorFor(address: string): ApiError | null {
    const open = this.#countByAddress.get(address);
    if (open === undefined || open.count < this.#maxPerMinute) return null;
    const leftMs = open.endsAtMs - this.#nowMs();
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
