import { randomBytes } from 'node:crypto';
import { registrableDomain } from '../analysis/domain-name.ts';
import { Refusal } from '../errors.ts';
import type { Counters } from './counters.ts';
import { LocalShare } from './local-share.ts';
import { chain, type MaybePromise } from './maybe-promise.ts';
import { Pseudonyms } from './secret.ts';

const PER_MINUTE = 60;
const MINUTE_SECONDS = 60;

/**
 * Keeps callers, all together, from asking about one target more than 60 times a minute. A target is a registrable domain
 * (eTLD+1), or the host itself where it has none (an address, a public suffix).
 */
export class TargetThrottle {
  readonly #counters: Pick<Counters, 'take'>;
  readonly #pseudonyms: Pseudonyms;
  readonly #registrableDomain: (host: string) => string | null;

  constructor(of: {
    counters: Pick<Counters, 'take'>;
    pseudonyms: Pseudonyms;
    registrableDomain: (host: string) => string | null;
  }) {
    this.#counters = of.counters;
    this.#pseudonyms = of.pseudonyms;
    this.#registrableDomain = of.registrableDomain;
  }

  /** Before the look into the cache and before anything is sent. Throws `Refusal` 429 `target_throttled`. */
  consume(host: string): MaybePromise<void> {
    const plain = host.toLowerCase().replace(/\.$/, '');
    const target = this.#registrableDomain(plain) ?? plain;
    const request = { amount: 1, limit: PER_MINUTE, windowSeconds: MINUTE_SECONDS, whole: true };
    return chain(this.#counters.take(`target:${this.#pseudonyms.of('target', target)}`, request), (taken) => {
      if (taken.granted === 1) return;
      throw new Refusal(
        'target_throttled',
        `This target was asked about ${PER_MINUTE} times within a minute, by all callers together. It is not your quota: try again in ${taken.resetSeconds} seconds.`,
        { retryAfterSeconds: taken.resetSeconds },
      );
    });
  }

  /** For a chain of redirects: consumes once for each host that is newly reached. */
  journey(): (host: string) => MaybePromise<void> {
    const reached = new Set<string>();
    return (host) => {
      if (reached.has(host)) return;
      reached.add(host);
      return this.consume(host);
    };
  }
}

/** The throttle of a process that answers for itself alone: a command, or MCP over stdio. */
export function throttleOfThisProcess(): (host: string) => Promise<void> {
  const pseudonyms = new Pseudonyms(randomBytes(32).toString('hex'));
  const targets = new TargetThrottle({ counters: new LocalShare(), pseudonyms, registrableDomain });
  return async (host) => targets.consume(host);
}
