import { ApiError } from '../errors.ts';
import { ByteBudget, type ByteClaim } from '../net/byte-budget.ts';
import { limitTime } from '../net/limit-time.ts';
import { NetError } from '../net/net-error.ts';
import type { NetworkClient } from '../net/network-client.ts';
import { onAbort } from '../net/on-abort.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { RequestSlots } from './request-slots.ts';
import type { Source, SourceContext, SourcePolicy, SourceResult } from './source.ts';
import {
  ABORTED_RESULT,
  CIRCUIT_OPEN_RESULT,
  failedResult,
  overloadedResult,
  refusedResult,
} from './source-failure.ts';

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

interface SourceRequesterDeps {
  readonly net: NetworkClient;
  readonly settings: SourceSettings;
  readonly now: () => Date;
  readonly observer: SourceObserver | null;
  /** Limit of the bytes of all sources' answers while they are read and parsed. */
  readonly maxBytesInMemory: number;
}

/** What one request needs besides source and question; `ask` and `countVisit` are passed on to the source. */
interface SourceRequestOptions extends Pick<SourceContext, 'apiKey' | 'signal' | 'countVisit'> {
  readonly ask: <Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    signal: AbortSignal,
  ) => Promise<SourceResult<Found>>;
}

/** Sends requests to sources, each within the source's slots, circuit breaker, timeout and the byte budget; records their health. */
export class SourceRequester {
  readonly #deps: SourceRequesterDeps;
  readonly #byteBudget: ByteBudget;
  readonly #states = new Map<string, SourceState>();

  constructor(deps: SourceRequesterDeps) {
    this.#deps = deps;
    this.#byteBudget = new ByteBudget(deps.maxBytesInMemory);
  }

  health({ id }: SourcePolicy): SourceHealth {
    const { last_success_at = null, last_error = null } = this.#states.get(id) ?? {};
    return { last_success_at, last_error };
  }

  /** Asks the source, if its circuit is closed and a slot becomes free in time. Never rejects. */
  async request<Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    options: SourceRequestOptions,
  ): Promise<SourceResult<Found>> {
    const { policy } = source;
    const { signal } = options;
    const { now, observer } = this.#deps;
    const { breaker, slots } = this.#stateOf(policy);
    if (!breaker.tryStartRequest(now().getTime())) {
      observer?.recordSourceCall(policy.id, 'not_asked', null);
      return CIRCUIT_OPEN_RESULT;
    }
    const release = await slots.tryAcquire(policy.timeoutMs, signal);
    if (release === null) {
      breaker.recordNothing(now().getTime());
      if (signal.aborted) return ABORTED_RESULT;
      observer?.recordSourceCall(policy.id, 'not_asked', null);
      return overloadedResult();
    }
    try {
      return await this.#callMeasured(source, question, options);
    } finally {
      release();
    }
  }

  /** Calls the source and records the outcome for health and metrics. */
  async #callMeasured<Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    options: SourceRequestOptions,
  ): Promise<SourceResult<Found>> {
    const { policy } = source;
    const { signal } = options;
    const { now, observer } = this.#deps;
    const state = this.#stateOf(policy);
    const claim = this.#byteBudget.claim();
    const started = performance.now();
    const limit = limitTime(signal, policy.timeoutMs);
    const report = (outcome: 'ok' | 'failed' | 'timeout'): void =>
      observer?.recordSourceCall(policy.id, outcome, (performance.now() - started) / 1000);
    try {
      const found = await this.#call(source, question, claim, { ...options, signal: limit.signal });
      report('ok');
      state.breaker.recordSuccess();
      state.last_success_at = now().toISOString();
      state.last_error = null;
      return { status: 'ok', found, ageSeconds: 0 };
    } catch (error) {
      const failedAt = now().getTime();
      const isRefused = error instanceof ApiError;
      if (signal.aborted || isRefused || claim.lacksRoom || isBusy(error)) {
        state.breaker.recordNothing(failedAt);
        if (signal.aborted) return ABORTED_RESULT;
        report('ok');
        return isRefused ? refusedResult(error) : overloadedResult();
      }
      const result = failedResult(error, limit.isOver);
      report(result.timedOut ? 'timeout' : 'failed');
      // A source without base URL asks each target itself: the failure of one says nothing about others.
      if (policy.baseUrl !== null) {
        state.last_error = result.reason;
        state.breaker.recordFailure(failedAt);
      }
      return result;
    } finally {
      limit.stop();
    }
  }

  async #call<Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    claim: ByteClaim,
    { apiKey, signal, ask, countVisit }: SourceRequestOptions,
  ): Promise<Found> {
    const { policy } = source;
    const { net, settings, now } = this.#deps;
    const configured = settings.baseUrlOf(policy);
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const removeListener = onAbort(signal, () => reject(new NetError('aborted', `${policy.id}: ended`)));
    try {
      const answer = source.ask(question, {
        net: withByteClaim(net, claim),
        baseUrl: configured ?? policy.baseUrl ?? '',
        trusted: configured !== null,
        apiKey,
        timeoutMs: policy.timeoutMs,
        maxBytes: policy.maxBytes,
        signal,
        now,
        ask: (other, otherQuestion) => ask(other, otherQuestion, signal),
        countVisit,
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
