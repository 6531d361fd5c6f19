import { LRUCache } from 'lru-cache';
import { Refusal } from '../errors.ts';

/** Requests of one address that may be refused without a charge within a minute: far more than a client that works ever has. */
export const REFUSED_PER_MINUTE = 600;
const MINUTE_MS = 60_000;
const MAX_ADDRESSES = 20_000;

interface Minute {
  refused: number;
  endsAt: number;
}

/**
 * Counts what is refused without a charge (an invalid key, invalid input, an unknown path): it is work that nobody
 * pays for. In memory, by the pseudonym of the address, each process for itself; nothing of it is written down.
 */
export class RefusedRequests {
  readonly #perMinute: number;
  readonly #elapsed: () => number;
  readonly #minutes = new LRUCache<string, Minute>({ max: MAX_ADDRESSES });

  /** `elapsed`: milliseconds of a clock that goes on. */
  constructor(perMinute: number, elapsed: () => number) {
    this.#perMinute = perMinute;
    this.#elapsed = elapsed;
  }

  /** False while nothing was refused lately: then nobody has to be looked up. */
  get any(): boolean {
    return this.#minutes.size > 0;
  }

  note(address: string): void {
    const now = this.#elapsed();
    const open = this.#minutes.get(address);
    if (open !== undefined && open.endsAt > now) open.refused += 1;
    else this.#minutes.set(address, { refused: 1, endsAt: now + MINUTE_MS });
  }

  /** Why nothing more is read from this address before its minute is over; null where there is no reason. */
  refusal(address: string): Refusal | null {
    const open = this.#minutes.get(address);
    if (open === undefined || open.refused < this.#perMinute) return null;
    const leftMs = open.endsAt - this.#elapsed();
    // More than a minute is left only where the clock was set back.
    if (leftMs <= 0 || leftMs > MINUTE_MS) return null;
    const seconds = Math.ceil(leftMs / 1000);
    return new Refusal(
      'rate_limit_exceeded',
      `${this.#perMinute} requests of this address were refused within a minute. Try again in ${seconds} seconds, with requests that are valid.`,
      { retryAfterSeconds: seconds },
    );
  }
}
