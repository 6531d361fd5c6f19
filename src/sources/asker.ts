import { LRUCache } from 'lru-cache';
import { Refusal, tooBusy } from '../errors.ts';
import { ByteBudget, type ByteClaim } from '../net/byte-budget.ts';
import type { Net } from '../net/net.ts';
import { NetError } from '../net/net-error.ts';
import { hashedName } from './hashed-name.ts';
import { askOnceForAll, type SharedAnswers } from './shared-answers.ts';
import { sizeInMemory } from './size-in-memory.ts';
import type { Failure, Outcome, Source, SourcePolicy } from './source.ts';

const MAX_CACHED_ANSWERS = 10_000;
const MAX_CACHED_BYTES = 64 * 1024 * 1024;
/** A larger answer is not kept: the next who asks has it from the source. */
const MAX_CACHED_ANSWER_BYTES = 16 * 1024 * 1024;
/** After that many failures in a row a source is left alone for a while: nobody waits for what is down. */
const FAILURES_TO_REST = 5;
/** Waiting for one source, as a multiple of the requests that may be under way to it. */
const WAITING_PER_TURN = 4;
const LEAST_WAITING = 200;
const REST_MS = 30_000;
/** Of the answers of all sources together, while they are read and parsed. */
const MAX_BYTES_IN_MEMORY = 32 * 1024 * 1024;

export interface SourceSettings {
  /** Configured address of a source, or null for its default. */
  addressOf(policy: SourcePolicy): string | null;
  keyOf(policy: SourcePolicy): string | null;
}

export interface SourceHealth {
  last_success_at: string | null;
  last_error: string | null;
}

interface State extends SourceHealth {
  underway: number;
  waiting: (() => void)[];
  failures: number;
  restUntil: number;
}

/** Counts what becomes of questions. `seconds` is null where the question did not go out. */
export interface AskObserver {
  sourceCached(source: string): void;
  sourceAsked(source: string, outcome: 'ok' | 'failed' | 'timeout' | 'not_asked', seconds: number | null): void;
}

interface Around {
  /** What replicas share of their answers; none: this process asks for itself. */
  shared?: SharedAnswers | null;
  observer?: AskObserver | null;
  /** Counts a look at a host's pages against its limit; rejects with `Refusal` 429 past that. None: there is no limit. */
  throttle?: (host: string) => Promise<void>;
  /** Bound for the answers of all sources together, while they are read and parsed. Default: 32 MiB. */
  maxBytesInMemory?: number;
}

type Cached = { found: unknown; at: number };

/** A question under way, and how many wait for it: once nobody does, it ends. */
interface Flight {
  readonly outcome: Promise<Outcome<unknown>>;
  readonly controller: AbortController;
  waiting: number;
}

/** Asks live sources: bounded in time and size, cached by each source's policy, the same question in flight joined. */
export class Asker {
  readonly #net: Net;
  readonly #settings: SourceSettings;
  readonly #now: () => Date;
  readonly #observer: AskObserver | null;
  readonly #shared: SharedAnswers | null;
  readonly #throttle: (host: string) => Promise<void>;
  readonly #states = new Map<string, State>();
  readonly #flying = new Map<string, Flight>();
  readonly #bytes: ByteBudget;
  readonly #answers = new LRUCache<string, Cached>({
    max: MAX_CACHED_ANSWERS,
    maxSize: MAX_CACHED_BYTES,
    maxEntrySize: MAX_CACHED_ANSWER_BYTES,
    sizeCalculation: ({ found }) => sizeInMemory(found, MAX_CACHED_ANSWER_BYTES),
  });

  constructor(net: Net, settings: SourceSettings, now: () => Date, around: Around = {}) {
    this.#net = net;
    this.#settings = settings;
    this.#now = now;
    this.#observer = around.observer ?? null;
    this.#shared = around.shared ?? null;
    this.#throttle = around.throttle ?? (async () => {});
    this.#bytes = new ByteBudget(around.maxBytesInMemory ?? MAX_BYTES_IN_MEMORY);
  }

  /** Never rejects. Whoever gives up by `signal` is told so; the question goes on while others wait for it. */
  async ask<Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    signal?: AbortSignal,
  ): Promise<Outcome<Found>> {
    const { policy } = source;
    const key = policy.key === null ? null : this.#settings.keyOf(policy);
    if (policy.key?.needed === true && key === null) return { status: 'not_configured' };
    const host = source.visits?.(question);
    const refusal = host === undefined ? null : await this.#refusalOf(host);
    if (refusal !== null) return refused(refusal);
    const name = hashedName(policy.id, question);
    const now = this.#now().getTime();
    const cached = this.#answers.get(name);
    if (cached !== undefined && now - cached.at < policy.ttlSeconds * 1000) {
      this.#observer?.sourceCached(policy.id);
      return { status: 'ok', found: cached.found as Found, ageSeconds: Math.floor((now - cached.at) / 1000) };
    }
    if (signal?.aborted === true) return GIVEN_UP;
    let flight = this.#flying.get(name);
    if (flight === undefined) {
      const controller = new AbortController();
      const outcome = this.#depart(source, question, { key, name, signal: controller.signal });
      const started: Flight = { outcome, controller, waiting: 0 };
      const landed = (): void => {
        if (this.#flying.get(name) === started) this.#flying.delete(name);
      };
      outcome.then(landed, landed);
      this.#flying.set(name, started);
      flight = started;
    }
    return this.#await(flight, name, signal) as Promise<Outcome<Found>>;
  }

  async #await(flight: Flight, name: string, signal: AbortSignal | undefined): Promise<Outcome<unknown>> {
    if (signal === undefined) {
      flight.waiting++;
      return flight.outcome;
    }
    const { promise: givenUp, resolve } = Promise.withResolvers<Outcome<unknown>>();
    const giveUp = (): void => resolve(GIVEN_UP);
    signal.addEventListener('abort', giveUp, { once: true });
    flight.waiting++;
    try {
      return await Promise.race([flight.outcome, givenUp]);
    } finally {
      signal.removeEventListener('abort', giveUp);
      flight.waiting--;
      if (flight.waiting === 0 && this.#flying.get(name) === flight && signal.aborted) {
        this.#flying.delete(name);
        flight.controller.abort();
      }
    }
  }

  health(policy: SourcePolicy): SourceHealth {
    const { last_success_at, last_error } = this.#state(policy.id);
    return { last_success_at, last_error };
  }

  /** Asks, or has the answer from another replica. */
  async #depart<Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    { key, name, signal }: { key: string | null; name: string; signal: AbortSignal },
  ): Promise<Outcome<Found>> {
    const now = this.#now;
    let asked = false;
    const ask = (): Promise<Outcome<Found>> => {
      asked = true;
      return this.#fly(source, question, key, signal);
    };
    const keep = (found: Found): boolean => source.policy.ttlSeconds > 0 && (source.keep?.(found) ?? true);
    const shared = source.policy.ttlSeconds > 0 ? this.#shared : null;
    const outcome = await (shared === null
      ? ask()
      : askOnceForAll({ shared, name, policy: source.policy, now, ask, keep, signal }));
    if (outcome.status === 'ok' && !asked) this.#observer?.sourceCached(source.policy.id);
    if (outcome.status === 'ok' && keep(outcome.found)) {
      this.#answers.set(name, { found: outcome.found, at: now().getTime() - outcome.ageSeconds * 1000 });
    }
    return outcome;
  }

  async #fly<Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    key: string | null,
    signal: AbortSignal,
  ): Promise<Outcome<Found>> {
    const { policy } = source;
    const state = this.#state(policy.id);
    const notAsked = (reason: string): Outcome<Found> => {
      this.#observer?.sourceAsked(policy.id, 'not_asked', null);
      return unavailable(reason);
    };
    if (state.restUntil > this.#now().getTime()) return notAsked('it failed repeatedly just now and is left alone');
    if (!(await this.#turn(state, policy, signal))) {
      return signal.aborted ? GIVEN_UP : notAsked('too many questions to it are under way');
    }
    const claim = this.#bytes.claim();
    const started = performance.now();
    const late = AbortSignal.timeout(policy.timeoutMs);
    const ended = (outcome: 'ok' | 'failed' | 'timeout'): void =>
      this.#observer?.sourceAsked(policy.id, outcome, (performance.now() - started) / 1000);
    try {
      const found = await this.#request(source, question, { key, claim, signal: AbortSignal.any([signal, late]) });
      ended('ok');
      state.failures = 0;
      state.last_success_at = this.#now().toISOString();
      state.last_error = null;
      return { status: 'ok', found, ageSeconds: 0 };
    } catch (error) {
      if (signal.aborted) return GIVEN_UP;
      if (error instanceof Refusal) {
        ended('ok');
        return refused(error);
      }
      if (claim.lacksRoom || isBusy(error)) {
        // A bound of this process says nothing of the source: it does not count as its failure.
        ended('ok');
        return refused(tooBusy());
      }
      const failure = late.aborted ? 'timeout' : failureOf(error);
      const timedOut = failure === 'timeout';
      ended(timedOut ? 'timeout' : 'failed');
      const reason = timedOut ? 'it took too long' : reasonOf(error);
      // What one target does says nothing of the next.
      if (policy.address !== null) {
        state.last_error = reason;
        state.failures++;
        if (state.failures >= FAILURES_TO_REST) state.restUntil = this.#now().getTime() + REST_MS;
      }
      return { status: 'unavailable', reason, timedOut, failure };
    } finally {
      const next = state.waiting.shift();
      if (next === undefined) state.underway--;
      else next();
    }
  }

  /** Waits until a request may go out, at most as long as the request itself might take, and while somebody wants its answer. */
  async #turn(state: State, policy: SourcePolicy, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (state.underway < policy.concurrency) {
      state.underway++;
      return true;
    }
    if (state.waiting.length >= Math.max(LEAST_WAITING, policy.concurrency * WAITING_PER_TURN)) return false;
    return new Promise((resolve) => {
      const settle = (isGiven: boolean): void => {
        clearTimeout(late);
        signal.removeEventListener('abort', leave);
        resolve(isGiven);
      };
      const given = (): void => settle(true);
      const leave = (): void => {
        state.waiting.splice(state.waiting.indexOf(given), 1);
        settle(false);
      };
      const late = setTimeout(leave, policy.timeoutMs);
      signal.addEventListener('abort', leave, { once: true });
      state.waiting.push(given);
    });
  }

  async #request<Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    { key, claim, signal }: { key: string | null; claim: ByteClaim; signal: AbortSignal },
  ): Promise<Found> {
    const { policy } = source;
    const configured = this.#settings.addressOf(policy);
    const { promise: ended, reject } = Promise.withResolvers<never>();
    const end = (): void => reject(new NetError('aborted', `${policy.id}: ended`));
    signal.addEventListener('abort', end, { once: true });
    try {
      const asked = source.ask(question, {
        net: counting(this.#net, claim),
        address: configured ?? policy.address ?? '',
        trusted: configured !== null,
        key,
        timeoutMs: policy.timeoutMs,
        maxBytes: policy.maxBytes,
        signal,
        ask: (other, about) => this.ask(other, about, signal),
        arrive: (host) => this.#throttle(host),
      });
      // Whatever a source does with its signal, the wait for it ends.
      return await Promise.race([asked, ended]);
    } finally {
      signal.removeEventListener('abort', end);
      claim.release();
    }
  }

  async #refusalOf(host: string): Promise<Refusal | null> {
    try {
      await this.#throttle(host);
      return null;
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  }

  #state(id: string): State {
    let state = this.#states.get(id);
    if (state === undefined) {
      state = { underway: 0, waiting: [], failures: 0, restUntil: 0, last_success_at: null, last_error: null };
      this.#states.set(id, state);
    }
    return state;
  }
}

/** The way out, with the bytes of its answers counted. */
function counting(net: Net, claim: ByteClaim): Net {
  return { ...net, fetch: (url, options) => net.fetch(url, { ...options, claim }) };
}

function unavailable(reason: string): Outcome<never> {
  return { status: 'unavailable', reason, timedOut: false, failure: 'not_asked' };
}

function refused(refusal: Refusal): Outcome<never> {
  return { status: 'unavailable', reason: refusal.message, timedOut: false, failure: 'not_asked', refusal };
}

const GIVEN_UP: Outcome<never> = {
  status: 'unavailable',
  reason: 'the time for this answer was over',
  timedOut: true,
  failure: 'aborted',
};

function isBusy(error: unknown): boolean {
  return error instanceof NetError && error.code === 'busy';
}

const STATUS = /^status \d+$/;

function failureOf(error: unknown): Failure {
  if (error instanceof NetError) return error.code;
  return error instanceof Error && STATUS.test(error.message) ? 'status' : 'unreadable';
}

/** In words for the caller: no address, no body of the source. */
function reasonOf(error: unknown): string {
  if (error instanceof NetError) return `the connection failed (${error.code})`;
  if (error instanceof Error && STATUS.test(error.message)) return `it answered with ${error.message}`;
  return 'its answer could not be read';
}
