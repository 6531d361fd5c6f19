import { LRUCache } from 'lru-cache';
import { ApiError } from '../errors.ts';
import { ByteBudget, type ByteClaim } from '../net/byte-budget.ts';
import { NetError } from '../net/net-error.ts';
import type { NetworkClient } from '../net/network-client.ts';
import { onAbort } from '../net/on-abort.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { hashCacheKey } from './hash-cache-key.ts';
import { InFlightRequests } from './in-flight-requests.ts';
import { RequestSlots } from './request-slots.ts';
import { askOnceAcrossReplicas, type SharedAnswerCache } from './shared-answer-cache.ts';
import { sizeInMemory } from './size-in-memory.ts';
import type { Source, SourcePolicy, SourceResult } from './source.ts';
import {
  ABORTED_RESULT,
  CIRCUIT_OPEN_RESULT,
  failedResult,
  overloadedResult,
  refusedResult,
} from './source-failure.ts';

const MAX_CACHED_ANSWERS = 10_000;
const MAX_CACHED_BYTES = 64 * 1024 * 1024;
/** A larger answer is not cached: it would evict many others. */
const MAX_CACHED_ANSWER_BYTES = 16 * 1024 * 1024;
/** Default limit of the answers of all sources together, while they are read and parsed. */
const MAX_BYTES_IN_MEMORY = 32 * 1024 * 1024;

export interface SourceSettings {
  /** Configured base URL of a source, or null for its default. */
  baseUrlOf(policy: SourcePolicy): string | null;
  keyOf(policy: SourcePolicy): string | null;
}

export interface SourceHealth {
  last_success_at: string | null;
  last_error: string | null;
}

interface SourceState extends SourceHealth {
  readonly slots: RequestSlots;
  readonly breaker: CircuitBreaker;
}

/** Metrics of source requests. `seconds` is null where no request was sent. */
export interface SourceObserver {
  recordSourceCacheHit(source: string): void;
  recordSourceCall(source: string, outcome: 'ok' | 'failed' | 'timeout' | 'not_asked', seconds: number | null): void;
}

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
  readonly #net: NetworkClient;
  readonly #settings: SourceSettings;
  readonly #now: () => Date;
  readonly #observer: SourceObserver | null;
  readonly #sharedAnswers: SharedAnswerCache | null;
  readonly #throttle: (host: string) => Promise<void>;
  readonly #states = new Map<string, SourceState>();
  readonly #inFlight = new InFlightRequests();
  readonly #byteBudget: ByteBudget;
  readonly #cache = new LRUCache<string, CacheEntry>({
    max: MAX_CACHED_ANSWERS,
    maxSize: MAX_CACHED_BYTES,
    maxEntrySize: MAX_CACHED_ANSWER_BYTES,
    sizeCalculation: ({ found }) => sizeInMemory(found, MAX_CACHED_ANSWER_BYTES),
  });

  constructor(net: NetworkClient, settings: SourceSettings, now: () => Date, options: SourceClientOptions = {}) {
    this.#net = net;
    this.#settings = settings;
    this.#now = now;
    this.#observer = options.observer ?? null;
    this.#sharedAnswers = options.sharedAnswers ?? null;
    this.#throttle = options.throttle ?? (async () => {});
    this.#byteBudget = new ByteBudget(options.maxBytesInMemory ?? MAX_BYTES_IN_MEMORY);
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

  health({ id }: SourcePolicy): SourceHealth {
    const { last_success_at = null, last_error = null } = this.#states.get(id) ?? {};
    return { last_success_at, last_error };
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
      return this.#fetchLive(source, question, apiKey, signal);
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

  /** Asks the source itself, if its circuit is closed and a slot becomes free in time. */
  async #fetchLive<Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    apiKey: string | null,
    signal: AbortSignal,
  ): Promise<SourceResult<Found>> {
    const { policy } = source;
    const { breaker, slots } = this.#stateOf(policy);
    if (!breaker.allowsRequest(this.#now().getTime())) {
      this.#observer?.recordSourceCall(policy.id, 'not_asked', null);
      return CIRCUIT_OPEN_RESULT;
    }
    if (!(await slots.tryAcquire(policy.timeoutMs, signal))) {
      breaker.recordNothing(this.#now().getTime());
      if (signal.aborted) return ABORTED_RESULT;
      this.#observer?.recordSourceCall(policy.id, 'not_asked', null);
      return overloadedResult();
    }
    try {
      return await this.#callMeasured(source, question, apiKey, signal);
    } finally {
      slots.release();
    }
  }

  /** Calls the source and records what its outcome says of its health. */
  async #callMeasured<Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    apiKey: string | null,
    signal: AbortSignal,
  ): Promise<SourceResult<Found>> {
    const { policy } = source;
    const state = this.#stateOf(policy);
    const claim = this.#byteBudget.claim();
    const started = performance.now();
    const timeout = AbortSignal.timeout(policy.timeoutMs);
    const report = (outcome: 'ok' | 'failed' | 'timeout'): void =>
      this.#observer?.recordSourceCall(policy.id, outcome, (performance.now() - started) / 1000);
    try {
      const found = await this.#call(source, question, { apiKey, claim, signal: AbortSignal.any([signal, timeout]) });
      report('ok');
      state.breaker.recordSuccess();
      state.last_success_at = this.#now().toISOString();
      state.last_error = null;
      return { status: 'ok', found, ageSeconds: 0 };
    } catch (error) {
      const now = this.#now().getTime();
      const isRefused = error instanceof ApiError;
      if (signal.aborted || isRefused || claim.lacksRoom || isBusy(error)) {
        state.breaker.recordNothing(now);
        if (signal.aborted) return ABORTED_RESULT;
        report('ok');
        return isRefused ? refusedResult(error) : overloadedResult();
      }
      const result = failedResult(error, timeout.aborted);
      report(result.timedOut ? 'timeout' : 'failed');
      // A source without base URL asks each target itself: the failure of one says nothing about others.
      if (policy.baseUrl !== null) {
        state.last_error = result.reason;
        state.breaker.recordFailure(now);
      }
      return result;
    }
  }

  async #call<Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    { apiKey, claim, signal }: { apiKey: string | null; claim: ByteClaim; signal: AbortSignal },
  ): Promise<Found> {
    const { policy } = source;
    const configured = this.#settings.baseUrlOf(policy);
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const removeListener = onAbort(signal, () => reject(new NetError('aborted', `${policy.id}: ended`)));
    try {
      const answer = source.ask(question, {
        net: withByteClaim(this.#net, claim),
        baseUrl: configured ?? policy.baseUrl ?? '',
        trusted: configured !== null,
        apiKey,
        timeoutMs: policy.timeoutMs,
        maxBytes: policy.maxBytes,
        signal,
        now: this.#now,
        ask: (other, otherQuestion) => this.ask(other, otherQuestion, signal),
        countVisit: (host) => this.#throttle(host),
      });
      // Ends the wait also for a source that ignores its signal.
      return await Promise.race([answer, aborted]);
    } finally {
      removeListener();
      claim.release();
    }
  }

  #stateOf({ id, concurrency }: SourcePolicy): SourceState {
    let state = this.#states.get(id);
    if (state === undefined) {
      const [slots, breaker] = [new RequestSlots(concurrency), new CircuitBreaker()];
      state = { slots, breaker, last_success_at: null, last_error: null };
      this.#states.set(id, state);
    }
    return state;
  }
}

/** The network client, with the bytes of its responses counted. */
function withByteClaim(net: NetworkClient, claim: ByteClaim): NetworkClient {
  return { ...net, fetch: (url, options) => net.fetch(url, { ...options, claim }) };
}

function isBusy(error: unknown): boolean {
  return error instanceof NetError && error.code === 'busy';
}
