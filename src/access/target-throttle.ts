import { randomBytes } from 'node:crypto';
import { registrableDomain, normalizeDnsName } from '../analysis/domain-name.ts';
import { ApiError } from '../errors.ts';
import type { Counters } from './counters.ts';
import { LocalCounters } from './local-counters.ts';
import { mapMaybePromise, type MaybePromise } from './maybe-promise.ts';
import { Pseudonyms } from './installation-secret.ts';

const MAX_PER_MINUTE = 60;
const WINDOW_SECONDS = 60;

/**
 * Keeps callers, all together, from asking about one target more than 60 times a minute. A target is a registrable domain
 * (eTLD+1), or the host itself where it has none (an address, a public suffix).
 */
export class TargetThrottle {
  readonly #counters: Pick<Counters, 'consume'>;
  readonly #pseudonyms: Pseudonyms;
  readonly #registrableDomain: (host: string) => string | null;

  constructor(of: {
    counters: Pick<Counters, 'consume'>;
    pseudonyms: Pseudonyms;
    registrableDomain: (host: string) => string | null;
  }) {
    this.#counters = of.counters;
    this.#pseudonyms = of.pseudonyms;
    this.#registrableDomain = of.registrableDomain;
  }

  /** Before the look into the cache and before anything is sent. Throws `ApiError` 429 `target_throttled`. */
  consume(host: string): MaybePromise<void> {
    const plain = normalizeDnsName(host);
    const target = this.#registrableDomain(plain) ?? plain;
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

  /** For a chain of redirects: consumes once for each host that is newly reached. */
  consumeOncePerHost(): (host: string) => MaybePromise<void> {
    const reached = new Set<string>();
    return (host) => {
      if (reached.has(host)) return;
      reached.add(host);
      return this.consume(host);
    };
  }
}

/** The throttle of a process that answers for itself alone: a command, or MCP over stdio. */
export function createProcessThrottle(): (host: string) => Promise<void> {
  const pseudonyms = new Pseudonyms(randomBytes(32).toString('hex'));
  const targets = new TargetThrottle({ counters: new LocalCounters(), pseudonyms, registrableDomain });
  return async (host) => targets.consume(host);
}
