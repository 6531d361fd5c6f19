import { LRUCache } from 'lru-cache';
import { ApiError } from '../errors.ts';
import type { NetworkClient } from '../net/network-client.ts';
import { hashCacheKey } from './hash-cache-key.ts';
import { InFlightRequests } from './in-flight-requests.ts';
import { askOnceAcrossReplicas, type SharedAnswerCache } from './shared-answer-cache.ts';
import { sizeInMemory } from './size-in-memory.ts';
import type { Source, SourcePolicy, SourceResult } from './source.ts';
import { ABORTED_RESULT, refusedResult } from './source-failure.ts';
import { type SourceHealth, type SourceObserver, SourceRequester, type SourceSettings } from './source-requester.ts';

const MAX_CACHED_ANSWERS = 10_000;
const MAX_CACHED_BYTES = 64 * 1024 * 1024;
/** A larger answer is not cached: it would evict many others. */
const MAX_CACHED_ANSWER_BYTES = 16 * 1024 * 1024;
/** Default limit of the answers of all sources together, while they are read and parsed. */
const MAX_BYTES_IN_MEMORY = 32 * 1024 * 1024;

interface SourceClientOptions {
  /** Answers that replicas share; null: not shared. */
  sharedAnswers?: SharedAnswerCache | null;
  observer?: SourceObserver | null;
  /** Counts a visit of a host against its limit; rejects with `ApiError` 429 above it. Default: no limit. */
  throttle?: (host: string) => Promise<void>;
  /** Limit of the bytes of all sources' answers while they are read and parsed. Default: 32 MiB. */
  maxBytesInMemory?: number;
}

type CacheEntry = { found: unknown; askedAtMs: number };

/** Asks live sources: limited in time and size, answers cached by each source's policy, equal requests joined. */
export class SourceClient {
  readonly #settings: SourceSettings;
  readonly #now: () => Date;
  readonly #observer: SourceObserver | null;
  readonly #sharedAnswers: SharedAnswerCache | null;
  readonly #throttle: (host: string) => Promise<void>;
  readonly #inFlight = new InFlightRequests();
  readonly #requester: SourceRequester;
  readonly #cache = new LRUCache<string, CacheEntry>({
    max: MAX_CACHED_ANSWERS,
    maxSize: MAX_CACHED_BYTES,
    maxEntrySize: MAX_CACHED_ANSWER_BYTES,
    sizeCalculation: ({ found }) => sizeInMemory(found, MAX_CACHED_ANSWER_BYTES),
  });

  constructor(net: NetworkClient, settings: SourceSettings, now: () => Date, options: SourceClientOptions = {}) {
    this.#settings = settings;
    this.#now = now;
    this.#observer = options.observer ?? null;
    this.#sharedAnswers = options.sharedAnswers ?? null;
    this.#throttle = options.throttle ?? (async () => {});
    const { maxBytesInMemory = MAX_BYTES_IN_MEMORY } = options;
    this.#requester = new SourceRequester({ net, settings, now, observer: this.#observer, maxBytesInMemory });
  }

  /** Never rejects. If `signal` aborts, the result is `aborted`; the request continues for other callers that wait for it. */
  async ask<Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    signal?: AbortSignal,
  ): Promise<SourceResult<Found>> {
    const { policy } = source;
    const apiKey = policy.key === null ? null : this.#settings.keyOf(policy);
    if (policy.key?.needed === true && apiKey === null) return { status: 'not_configured' };
    const host = source.visitedHost?.(question);
    const refusal = host === undefined ? null : await this.#countVisit(host);
    if (refusal !== null) return refusedResult(refusal);
    const cacheKey = hashCacheKey(source.kind ?? policy.id, question);
    const now = this.#now().getTime();
    const cached = this.#cache.get(cacheKey);
    if (cached !== undefined && now - cached.askedAtMs < policy.ttlSeconds * 1000) {
      this.#observer?.recordSourceCacheHit(policy.id);
      return { status: 'ok', found: cached.found as Found, ageSeconds: Math.floor((now - cached.askedAtMs) / 1000) };
    }
    if (signal?.aborted === true) return ABORTED_RESULT;
    const start = (running: AbortSignal) => this.#fetchShared(source, question, { apiKey, cacheKey, signal: running });
    return this.#inFlight.join(cacheKey, signal, start) as Promise<SourceResult<Found>>;
  }

  health(policy: SourcePolicy): SourceHealth {
    return this.#requester.health(policy);
  }

  async #countVisit(host: string): Promise<ApiError | null> {
    try {
      await this.#throttle(host);
      return null;
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
  }

  /** Asks the source, or takes the answer of another replica; caches an answer that may be cached. */
  async #fetchShared<Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    { apiKey, cacheKey, signal }: { apiKey: string | null; cacheKey: string; signal: AbortSignal },
  ): Promise<SourceResult<Found>> {
    const { policy } = source;
    const now = this.#now;
    let asked = false;
    const ask = (): Promise<SourceResult<Found>> => {
      asked = true;
      return this.#requester.request(source, question, {
        apiKey,
        signal,
        ask: (other, otherQuestion, running) => this.ask(other, otherQuestion, running),
        countVisit: this.#throttle,
      });
    };
    const isCacheable = (found: Found): boolean => policy.ttlSeconds > 0 && (source.isCacheable?.(found) ?? true);
    const shared = policy.ttlSeconds > 0 ? this.#sharedAnswers : null;
    const result = await (shared === null
      ? ask()
      : askOnceAcrossReplicas({ shared, key: cacheKey, policy, now, ask, isCacheable, signal }));
    if (result.status !== 'ok') return result;
    if (!asked) this.#observer?.recordSourceCacheHit(policy.id);
    if (isCacheable(result.found)) {
      this.#cache.set(cacheKey, { found: result.found, askedAtMs: now().getTime() - result.ageSeconds * 1000 });
    }
    return result;
  }
}
