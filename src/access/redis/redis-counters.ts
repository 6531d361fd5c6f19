import {
  type Counters,
  BackendUnavailableError,
  type ConsumeResult,
  type ConsumeRequest,
  type CounterWindow,
} from '../counters.ts';
import { LocalCounters, toConsumeResult } from '../local-counters.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import { JoinedConsumption } from './joined-consumption.ts';
import { KEY_PREFIX, type RedisConnection } from './redis-connection.ts';

/**
 * Counters that all replicas share. While Redis is down this process counts by itself, from the last known state; when Redis is up
 * again, the first request of each caller reports that state. The caller closes the connection.
 */
export class RedisOrLocalCounters implements Counters {
  readonly #connection: RedisConnection;
  readonly #fallback = new LocalCounters();
  readonly #joined = new JoinedConsumption((name, request) =>
    this.#countInRedis(name, request, () => this.#fallback.consume(name, request)),
  );

  constructor(connection: RedisConnection) {
    this.#connection = connection;
  }

  consume(name: string, request: ConsumeRequest): MaybePromise<ConsumeResult> {
    return this.#connection.health.isUp ? this.#joined.consume(name, request) : this.#fallback.consume(name, request);
  }

  refund(name: string, amount: number, window: CounterWindow): MaybePromise<ConsumeResult> {
    const request = { amount: -amount, allOrNothing: false };
    return this.#count(name, request, window, () => this.#fallback.refund(name, amount, window));
  }

  peek(name: string, window: CounterWindow): MaybePromise<ConsumeResult> {
    return this.#count(name, { amount: 0, allOrNothing: false }, window, () => this.#fallback.peek(name, window));
  }

  #count(
    name: string,
    request: Pick<ConsumeRequest, 'amount' | 'allOrNothing'>,
    window: CounterWindow,
    countLocally: () => ConsumeResult,
  ): MaybePromise<ConsumeResult> {
    return this.#connection.health.isUp
      ? this.#countInRedis(name, { ...window, ...request }, countLocally)
      : countLocally();
  }

  async #countInRedis(
    name: string,
    { amount, allOrNothing, limit, windowSeconds }: ConsumeRequest,
    countLocally: () => ConsumeResult,
  ): Promise<ConsumeResult> {
    const { outageCount } = this.#connection.health;
    const knownState = this.#fallback.unsynced(name, outageCount);
    const request = { amount, allOrNothing, limit, windowMs: windowSeconds * 1000, knownState };
    try {
      const counted = await this.#connection.run((redis) => redis.count(KEY_PREFIX + name, request));
      this.#fallback.applyRemote(name, counted, knownState, outageCount);
      return toConsumeResult(counted, { limit, windowSeconds });
    } catch (error) {
      if (error instanceof BackendUnavailableError) return countLocally();
      throw error;
    }
  }
}
