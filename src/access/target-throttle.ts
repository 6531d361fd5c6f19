import { randomBytes } from 'node:crypto';
import { registrableDomain, normalizeDnsName } from '../analysis/domain-name.ts';
import { ApiError } from '../errors.ts';
import type { Counters } from './counters.ts';
import { LocalCounters } from './local-counters.ts';
import { mapMaybePromise, type MaybePromise } from './maybe-promise.ts';
import { Pseudonyms } from './pseudonyms.ts';

const MAX_PER_MINUTE = 60;
const WINDOW_SECONDS = 60;

/**
 * Limits all callers together to 60 questions a minute about one target: a registrable domain (eTLD+1), or the host itself where it
 * has none (an address, a public suffix).
 */
export class TargetThrottle {
  readonly #counters: Pick<Counters, 'consume'>;
  readonly #pseudonyms: Pseudonyms;

  constructor({ counters, pseudonyms }: { counters: Pick<Counters, 'consume'>; pseudonyms: Pseudonyms }) {
    this.#counters = counters;
    this.#pseudonyms = pseudonyms;
  }

  /** Call it before reading the cache and before sending anything. Throws `ApiError` 429 `target_throttled`. */
  consume(host: string): MaybePromise<void> {
    const normalizedHost = normalizeDnsName(host);
    const target = registrableDomain(normalizedHost) ?? normalizedHost;
    const request = { amount: 1, limit: MAX_PER_MINUTE, windowSeconds: WINDOW_SECONDS, allOrNothing: true };
    return mapMaybePromise(
      this.#counters.consume(`target:${this.#pseudonyms.pseudonymOf('target', target)}`, request),
      (taken) => {
        if (taken.granted === 1) return;
        throw new ApiError(
          'target_throttled',
          `This target was asked about ${MAX_PER_MINUTE} times within a minute, by all callers together. It is not your quota: try again in ${taken.resetSeconds} seconds.`,
          { retryAfterSeconds: taken.resetSeconds },
        );
      },
    );
  }
}

/** The throttle of a process without shared counters: a command, or MCP over stdio. */
export function createProcessThrottle(): (host: string) => Promise<void> {
  const pseudonyms = new Pseudonyms(randomBytes(32).toString('hex'));
  const targetThrottle = new TargetThrottle({ counters: new LocalCounters(), pseudonyms });
  return async (host) => targetThrottle.consume(host);
}
