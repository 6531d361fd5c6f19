import { LRUCache } from 'lru-cache';
import { ApiError, overloadedError } from '../errors.ts';
import { ByteBudget, type ByteClaim } from '../net/byte-budget.ts';
import type { NetworkClient } from '../net/network-client.ts';
import { NetError } from '../net/net-error.ts';
import { hashCacheKey } from './hash-cache-key.ts';
import { askOnceAcrossReplicas, type SharedAnswerCache } from './shared-answer-cache.ts';
import { sizeInMemory } from './size-in-memory.ts';
import type { SourceFailureCode, SourceResult, Source, SourcePolicy } from './source.ts';

const MAX_CACHED_ANSWERS = 10_000;
const MAX_CACHED_BYTES = 64 * 1024 * 1024;
/** A larger answer is not kept: the next who asks has it from the source. */
const MAX_CACHED_ANSWER_BYTES = 16 * 1024 * 1024;
/** After that many failures in a row a source is left alone for a while: nobody waits for what is down. */
const BREAKER_FAILURE_THRESHOLD = 5;
/** Waiting for one source, as a multiple of the requests that may be under way to it. */
const QUEUE_LENGTH_PER_SLOT = 4;
const MIN_QUEUE_LENGTH = 200;
const BREAKER_OPEN_MS = 30_000;
/** Of the answers of all sources together, while they are read and parsed. */
const MAX_BYTES_IN_MEMORY = 32 * 1024 * 1024;

export interface SourceSettings {
  /** Configured address of a source, or null for its default. */
  baseUrlOf(policy: SourcePolicy): string | null;
  keyOf(policy: SourcePolicy): string | null;
}

export interface SourceHealth {
  last_success_at: string | null;
  last_error: string | null;
}

interface SourceRuntimeState extends SourceHealth {
  activeRequests: number;
  waiters: (() => void)[];
  consecutiveFailures: number;
  circuitOpenUntil: number;
}

/** Counts what becomes of questions. `seconds` is null where the question did not go out. */
export interface SourceObserver {
  sourceCached(source: string): void;
  sourceAsked(source: string, outcome: 'ok' | 'failed' | 'timeout' | 'not_asked', seconds: number | null): void;
}

interface SourceClientOptions {
  /** What replicas share of their answers; none: this process asks for itself. */
  sharedAnswers?: SharedAnswerCache | null;
  observer?: SourceObserver | null;
  /** Counts a look at a host's pages against its limit; rejects with `ApiError` 429 past that. None: there is no limit. */
  throttle?: (host: string) => Promise<void>;
  /** Bound for the answers of all sources together, while they are read and parsed. Default: 32 MiB. */
  maxBytesInMemory?: number;
}

type CacheEntry = { found: unknown; at: number };

/** A question under way, and how many wait for it: once nobody does, it ends. */
interface PendingRequest {
  readonly outcome: Promise<SourceResult<unknown>>;
  readonly controller: AbortController;
  waiterCount: number;
}

/** Asks live sources: bounded in time and size, cached by each source's policy, the same question in flight joined. */
export class SourceClient {
  readonly #net: NetworkClient;
  readonly #settings: SourceSettings;
  readonly #now: () => Date;
  readonly #observer: SourceObserver | null;
  readonly #sharedAnswers: SharedAnswerCache | null;
  readonly #throttle: (host: string) => Promise<void>;
  readonly #states = new Map<string, SourceRuntimeState>();
  readonly #inFlight = new Map<string, PendingRequest>();
  readonly #byteBudget: ByteBudget;
  readonly #cache = new LRUCache<string, CacheEntry>({
    max: MAX_CACHED_ANSWERS,
    maxSize: MAX_CACHED_BYTES,
    maxEntrySize: MAX_CACHED_ANSWER_BYTES,
    sizeCalculation: ({ found }) => sizeInMemory(found, MAX_CACHED_ANSWER_BYTES),
  });

  constructor(net: NetworkClient, settings: SourceSettings, now: () => Date, around: SourceClientOptions = {}) {
    this.#net = net;
    this.#settings = settings;
    this.#now = now;
    this.#observer = around.observer ?? null;
    this.#sharedAnswers = around.sharedAnswers ?? null;
    this.#throttle = around.throttle ?? (async () => {});
    this.#byteBudget = new ByteBudget(around.maxBytesInMemory ?? MAX_BYTES_IN_MEMORY);
  }

  /** Never rejects. Whoever gives up by `signal` is told so; the question goes on while others wait for it. */
  async ask<Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    signal?: AbortSignal,
  ): Promise<SourceResult<Found>> {
    const { policy } = source;
    const key = policy.key === null ? null : this.#settings.keyOf(policy);
    if (policy.key?.needed === true && key === null) return { status: 'not_configured' };
    const host = source.visitedHost?.(question);
    const refusal = host === undefined ? null : await this.#countVisit(host);
    if (refusal !== null) return refusedResult(refusal);
    const name = hashCacheKey(policy.id, question);
    const now = this.#now().getTime();
    const cached = this.#cache.get(name);
    if (cached !== undefined && now - cached.at < policy.ttlSeconds * 1000) {
      this.#observer?.sourceCached(policy.id);
      return { status: 'ok', found: cached.found as Found, ageSeconds: Math.floor((now - cached.at) / 1000) };
    }
    if (signal?.aborted === true) return ABORTED_RESULT;
    let flight = this.#inFlight.get(name);
    if (flight === undefined) {
      const controller = new AbortController();
      const outcome = this.#fetchShared(source, question, { key, name, signal: controller.signal });
      const started: PendingRequest = { outcome, controller, waiterCount: 0 };
      const landed = (): void => {
        if (this.#inFlight.get(name) === started) this.#inFlight.delete(name);
      };
      outcome.then(landed, landed);
      this.#inFlight.set(name, started);
      flight = started;
    }
    return this.#waitFor(flight, name, signal) as Promise<SourceResult<Found>>;
  }

  async #waitFor(
    flight: PendingRequest,
    name: string,
    signal: AbortSignal | undefined,
  ): Promise<SourceResult<unknown>> {
    if (signal === undefined) {
      flight.waiterCount++;
      return flight.outcome;
    }
    const { promise: givenUp, resolve } = Promise.withResolvers<SourceResult<unknown>>();
    const giveUp = (): void => resolve(ABORTED_RESULT);
    signal.addEventListener('abort', giveUp, { once: true });
    flight.waiterCount++;
    try {
      return await Promise.race([flight.outcome, givenUp]);
    } finally {
      signal.removeEventListener('abort', giveUp);
      flight.waiterCount--;
      if (flight.waiterCount === 0 && this.#inFlight.get(name) === flight && signal.aborted) {
        this.#inFlight.delete(name);
        flight.controller.abort();
      }
    }
  }

  health(policy: SourcePolicy): SourceHealth {
    const { last_success_at, last_error } = this.#stateOf(policy.id);
    return { last_success_at, last_error };
  }

  /** Asks, or has the answer from another replica. */
  async #fetchShared<Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    { key, name, signal }: { key: string | null; name: string; signal: AbortSignal },
  ): Promise<SourceResult<Found>> {
    const now = this.#now;
    let asked = false;
    const ask = (): Promise<SourceResult<Found>> => {
      asked = true;
      return this.#fetchLive(source, question, key, signal);
    };
    const keep = (found: Found): boolean => source.policy.ttlSeconds > 0 && (source.isCacheable?.(found) ?? true);
    const shared = source.policy.ttlSeconds > 0 ? this.#sharedAnswers : null;
    const outcome = await (shared === null
      ? ask()
      : askOnceAcrossReplicas({ shared, key: name, policy: source.policy, now, ask, isCacheable: keep, signal }));
    if (outcome.status === 'ok' && !asked) this.#observer?.sourceCached(source.policy.id);
    if (outcome.status === 'ok' && keep(outcome.found)) {
      this.#cache.set(name, { found: outcome.found, at: now().getTime() - outcome.ageSeconds * 1000 });
    }
    return outcome;
  }

  async #fetchLive<Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    key: string | null,
    signal: AbortSignal,
  ): Promise<SourceResult<Found>> {
    const { policy } = source;
    const state = this.#stateOf(policy.id);
    const notAsked = (reason: string): SourceResult<Found> => {
      this.#observer?.sourceAsked(policy.id, 'not_asked', null);
      return notAskedResult(reason);
    };
    if (state.circuitOpenUntil > this.#now().getTime())
      return notAsked('it failed repeatedly just now and is left alone');
    if (!(await this.#acquireSlot(state, policy, signal))) {
      return signal.aborted ? ABORTED_RESULT : notAsked('too many questions to it are under way');
    }
    const claim = this.#byteBudget.claim();
    const started = performance.now();
    const late = AbortSignal.timeout(policy.timeoutMs);
    const ended = (outcome: 'ok' | 'failed' | 'timeout'): void =>
      this.#observer?.sourceAsked(policy.id, outcome, (performance.now() - started) / 1000);
    try {
      const found = await this.#callSource(source, question, { key, claim, signal: AbortSignal.any([signal, late]) });
      ended('ok');
      state.consecutiveFailures = 0;
      state.last_success_at = this.#now().toISOString();
      state.last_error = null;
      return { status: 'ok', found, ageSeconds: 0 };
    } catch (error) {
      if (signal.aborted) return ABORTED_RESULT;
      if (error instanceof ApiError) {
        ended('ok');
        return refusedResult(error);
      }
      if (claim.lacksRoom || isBusy(error)) {
        // A bound of this process says nothing of the source: it does not count as its failure.
        ended('ok');
        return refusedResult(overloadedError());
      }
      const failure = late.aborted ? 'timeout' : failureCode(error);
      const timedOut = failure === 'timeout';
      ended(timedOut ? 'timeout' : 'failed');
      const reason = timedOut ? 'it took too long' : failureReason(error);
      // What one target does says nothing of the next.
      if (policy.baseUrl !== null) {
        state.last_error = reason;
        state.consecutiveFailures++;
        if (state.consecutiveFailures >= BREAKER_FAILURE_THRESHOLD)
          state.circuitOpenUntil = this.#now().getTime() + BREAKER_OPEN_MS;
      }
      return { status: 'unavailable', reason, timedOut, failure };
    } finally {
      const next = state.waiters.shift();
      if (next === undefined) state.activeRequests--;
      else next();
    }
  }

  /** Waits until a request may go out, at most as long as the request itself might take, and while somebody wants its answer. */
  async #acquireSlot(state: SourceRuntimeState, policy: SourcePolicy, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (state.activeRequests < policy.concurrency) {
      state.activeRequests++;
      return true;
    }
    if (state.waiters.length >= Math.max(MIN_QUEUE_LENGTH, policy.concurrency * QUEUE_LENGTH_PER_SLOT)) return false;
    return new Promise((resolve) => {
      const settle = (isGiven: boolean): void => {
        clearTimeout(late);
        signal.removeEventListener('abort', leave);
        resolve(isGiven);
      };
      const given = (): void => settle(true);
      const leave = (): void => {
        state.waiters.splice(state.waiters.indexOf(given), 1);
        settle(false);
      };
      const late = setTimeout(leave, policy.timeoutMs);
      signal.addEventListener('abort', leave, { once: true });
      state.waiters.push(given);
    });
  }

  async #callSource<Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    { key, claim, signal }: { key: string | null; claim: ByteClaim; signal: AbortSignal },
  ): Promise<Found> {
    const { policy } = source;
    const configured = this.#settings.baseUrlOf(policy);
    const { promise: ended, reject } = Promise.withResolvers<never>();
    const end = (): void => reject(new NetError('aborted', `${policy.id}: ended`));
    signal.addEventListener('abort', end, { once: true });
    try {
      const asked = source.ask(question, {
        net: withByteClaim(this.#net, claim),
        baseUrl: configured ?? policy.baseUrl ?? '',
        trusted: configured !== null,
        apiKey: key,
        timeoutMs: policy.timeoutMs,
        maxBytes: policy.maxBytes,
        signal,
        ask: (other, about) => this.ask(other, about, signal),
        countVisit: (host) => this.#throttle(host),
      });
      // Whatever a source does with its signal, the wait for it ends.
      return await Promise.race([asked, ended]);
    } finally {
      signal.removeEventListener('abort', end);
      claim.release();
    }
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

  #stateOf(id: string): SourceRuntimeState {
    let state = this.#states.get(id);
    if (state === undefined) {
      state = {
        activeRequests: 0,
        waiters: [],
        consecutiveFailures: 0,
        circuitOpenUntil: 0,
        last_success_at: null,
        last_error: null,
      };
      this.#states.set(id, state);
    }
    return state;
  }
}

/** The way out, with the bytes of its answers counted. */
function withByteClaim(net: NetworkClient, claim: ByteClaim): NetworkClient {
  return { ...net, fetch: (url, options) => net.fetch(url, { ...options, claim }) };
}

function notAskedResult(reason: string): SourceResult<never> {
  return { status: 'unavailable', reason, timedOut: false, failure: 'not_asked' };
}

function refusedResult(refusal: ApiError): SourceResult<never> {
  return { status: 'unavailable', reason: refusal.message, timedOut: false, failure: 'not_asked', refusal };
}

const ABORTED_RESULT: SourceResult<never> = {
  status: 'unavailable',
  reason: 'the time for this answer was over',
  timedOut: true,
  failure: 'aborted',
};

function isBusy(error: unknown): boolean {
  return error instanceof NetError && error.code === 'busy';
}

const STATUS_MESSAGE = /^status \d+$/;

function failureCode(error: unknown): SourceFailureCode {
  if (error instanceof NetError) return error.code;
  return error instanceof Error && STATUS_MESSAGE.test(error.message) ? 'status' : 'unreadable';
}

/** In words for the caller: no address, no body of the source. */
function failureReason(error: unknown): string {
  if (error instanceof NetError) return `the connection failed (${error.code})`;
  if (error instanceof Error && STATUS_MESSAGE.test(error.message)) return `it answered with ${error.message}`;
  return 'its answer could not be read';
}
