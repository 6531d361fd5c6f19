import { type Counters, EngineAwayError, type Taken, type TakeRequest, type Window } from '../counters.ts';
import { LocalShare, takenOf } from '../local-share.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import { PREFIX, type RedisLink } from './link.ts';

/**
 * Counters that all replicas share. While Redis is away this process counts on by itself, from what it last knew; when
 * Redis is back, it is told of that with the first request of each caller. The link is closed by who opened it.
 */
export class RedisCounters implements Counters {
  readonly #link: RedisLink;
  readonly #share = new LocalShare();

  constructor(link: RedisLink) {
    this.#link = link;
  }

  take(name: string, request: TakeRequest): MaybePromise<Taken> {
    return this.#count(name, request, request, () => this.#share.take(name, request));
  }

  giveBack(name: string, amount: number, window: Window): MaybePromise<Taken> {
    const request = { amount: -amount, whole: false };
    return this.#count(name, request, window, () => this.#share.giveBack(name, amount, window));
  }

  look(name: string, window: Window): MaybePromise<Taken> {
    return this.#count(name, { amount: 0, whole: false }, window, () => this.#share.look(name, window));
  }

  async close(): Promise<void> {}

  #count(
    name: string,
    request: { amount: number; whole: boolean },
    window: Window,
    without: () => Taken,
  ): MaybePromise<Taken> {
    return this.#link.presence.here ? this.#shared(name, request, window, without) : without();
  }

  async #shared(
    name: string,
    { amount, whole }: { amount: number; whole: boolean },
    window: Window,
    without: () => Taken,
  ): Promise<Taken> {
    const { outages } = this.#link.presence;
    const known = this.#share.untold(name, outages);
    const request = { amount, whole, limit: window.limit, windowMs: window.windowSeconds * 1000, known };
    try {
      const counted = await this.#link.run((redis) => redis.count(PREFIX + name, request));
      this.#share.learn(name, counted, known, outages);
      return takenOf(counted, window);
    } catch (error) {
      if (error instanceof EngineAwayError) return without();
      throw error;
    }
  }
}
