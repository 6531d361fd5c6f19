import {
  type Counters,
  BackendUnavailableError,
  type ConsumeResult,
  type ConsumeRequest,
  type CounterWindow,
} from '../counters.ts';
import { LocalCounters, toConsumeResult } from '../local-counters.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import { KEY_PREFIX, type RedisConnection } from './redis-connection.ts';

/**
 * Counters that all replicas share. While Redis is away this process counts on by itself, from what it last knew; when
 * Redis is back, it is told of that with the first request of each caller. The link is closed by who opened it.
 */
export class RedisCounters implements Counters {
  readonly #connection: RedisConnection;
  readonly #fallback = new LocalCounters();

  constructor(link: RedisConnection) {
    this.#connection = link;
  }

  consume(name: string, request: ConsumeRequest): MaybePromise<ConsumeResult> {
    return this.#countWhereUp(name, request, request, () => this.#fallback.consume(name, request));
  }

  refund(name: string, amount: number, window: CounterWindow): MaybePromise<ConsumeResult> {
    const request = { amount: -amount, allOrNothing: false };
    return this.#countWhereUp(name, request, window, () => this.#fallback.refund(name, amount, window));
  }

  peek(name: string, window: CounterWindow): MaybePromise<ConsumeResult> {
    return this.#countWhereUp(name, { amount: 0, allOrNothing: false }, window, () =>
      this.#fallback.peek(name, window),
    );
  }

  async close(): Promise<void> {}

  #countWhereUp(
    name: string,
    request: { amount: number; allOrNothing: boolean },
    window: CounterWindow,
    without: () => ConsumeResult,
  ): MaybePromise<ConsumeResult> {
    return this.#connection.health.isUp ? this.#countInRedis(name, request, window, without) : without();
  }

  async #countInRedis(
    name: string,
    { amount, allOrNothing }: { amount: number; allOrNothing: boolean },
    window: CounterWindow,
    without: () => ConsumeResult,
  ): Promise<ConsumeResult> {
    const { outageCount } = this.#connection.health;
    const known = this.#fallback.unsynced(name, outageCount);
    const request = {
      amount,
      allOrNothing,
      limit: window.limit,
      windowMs: window.windowSeconds * 1000,
      knownState: known,
    };
    try {
      const counted = await this.#connection.run((redis) => redis.count(KEY_PREFIX + name, request));
      this.#fallback.applyRemote(name, counted, known, outageCount);
      return toConsumeResult(counted, window);
    } catch (error) {
      if (error instanceof BackendUnavailableError) return without();
      throw error;
    }
  }
}
