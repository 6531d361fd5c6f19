import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type HttpBounds, httpGet, readText } from '../net/http.ts';
import { NetError } from '../net/net-error.ts';
import { askOnceForAll, type SharedAnswers } from './shared-answers.ts';
import type { Outcome, Source, SourcePolicy } from './source.ts';

const MAX_CACHED_ANSWERS = 10_000;
/** After that many failures in a row a source is left alone for a while: nobody waits for what is down. */
const FAILURES_TO_REST = 5;
const MAX_WAITING = 200;
const REST_MS = 30_000;

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

type Cached = { found: unknown; at: number };

/** Asks live sources: bounded in time and size, cached by each source's policy, the same question in flight joined. */
export class Asker {
  readonly #settings: SourceSettings;
  readonly #now: () => Date;
  readonly #observer: AskObserver | null;
  readonly #shared: SharedAnswers | null;
  readonly #states = new Map<string, State>();
  readonly #flying = new Map<string, Promise<Outcome<unknown>>>();
  readonly #answers = new LRUCache<string, Cached>({ max: MAX_CACHED_ANSWERS });

  /** `shared`: what replicas share of their answers; null: this process asks for itself. */
  constructor(
    settings: SourceSettings,
    now: () => Date,
    shared: SharedAnswers | null = null,
    observer: AskObserver | null = null,
  ) {
    this.#settings = settings;
    this.#now = now;
    this.#observer = observer;
    this.#shared = shared;
  }

  async ask<Question, Found>(source: Source<Question, Found>, question: Question): Promise<Outcome<Found>> {
    const { policy } = source;
    const key = policy.key === null ? null : this.#settings.keyOf(policy);
    if (policy.key?.needed === true && key === null) return { status: 'not_configured' };
    const name = cacheName(policy.id, question);
    const now = this.#now().getTime();
    const cached = this.#answers.get(name);
    if (cached !== undefined && now - cached.at < policy.ttlSeconds * 1000) {
      this.#observer?.sourceCached(policy.id);
      return { status: 'ok', found: cached.found as Found, ageSeconds: Math.floor((now - cached.at) / 1000) };
    }
    let flight = this.#flying.get(name) as Promise<Outcome<Found>> | undefined;
    if (flight === undefined) {
      flight = this.#depart(source, question, key, name).finally(() => this.#flying.delete(name));
      this.#flying.set(name, flight);
    }
    return flight;
  }

  health(policy: SourcePolicy): SourceHealth {
    const { last_success_at, last_error } = this.#state(policy.id);
    return { last_success_at, last_error };
  }

  /** Asks, or has the answer from another replica. */
  async #depart<Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    key: string | null,
    name: string,
  ): Promise<Outcome<Found>> {
    const now = this.#now;
    let asked = false;
    const ask = (): Promise<Outcome<Found>> => {
      asked = true;
      return this.#fly(source, question, key);
    };
    const shared = source.policy.ttlSeconds > 0 ? this.#shared : null;
    const outcome = await (shared === null ? ask() : askOnceForAll({ shared, name, policy: source.policy, now, ask }));
    if (outcome.status === 'ok') {
      if (!asked) this.#observer?.sourceCached(source.policy.id);
      this.#answers.set(name, { found: outcome.found, at: now().getTime() - outcome.ageSeconds * 1000 });
    }
    return outcome;
  }

  async #fly<Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    key: string | null,
  ): Promise<Outcome<Found>> {
    const { policy } = source;
    const state = this.#state(policy.id);
    const notAsked = (reason: string): Outcome<Found> => {
      this.#observer?.sourceAsked(policy.id, 'not_asked', null);
      return unavailable(reason);
    };
    if (state.restUntil > this.#now().getTime()) return notAsked('it failed repeatedly just now and is left alone');
    if (!(await this.#turn(state, policy))) return notAsked('too many questions to it are under way');
    const started = performance.now();
    const ended = (outcome: 'ok' | 'failed' | 'timeout'): void =>
      this.#observer?.sourceAsked(policy.id, outcome, (performance.now() - started) / 1000);
    try {
      const found = await this.#request(source, question, key);
      ended('ok');
      state.failures = 0;
      state.last_success_at = this.#now().toISOString();
      state.last_error = null;
      return { status: 'ok', found, ageSeconds: 0 };
    } catch (error) {
      const timedOut = error instanceof NetError && error.code === 'timeout';
      ended(timedOut ? 'timeout' : 'failed');
      const reason = timedOut ? 'it took too long' : reasonOf(error);
      state.last_error = reason;
      state.failures++;
      if (state.failures >= FAILURES_TO_REST) state.restUntil = this.#now().getTime() + REST_MS;
      return { status: 'unavailable', reason, timedOut };
    } finally {
      const next = state.waiting.shift();
      if (next === undefined) state.underway--;
      else next();
    }
  }

  /** Waits until a request may go out, at most as long as the request itself might take. */
  async #turn(state: State, policy: SourcePolicy): Promise<boolean> {
    if (state.underway < policy.concurrency) {
      state.underway++;
      return true;
    }
    if (state.waiting.length >= MAX_WAITING) return false;
    return new Promise((resolve) => {
      const given = (): void => {
        clearTimeout(late);
        resolve(true);
      };
      const late = setTimeout(() => {
        state.waiting.splice(state.waiting.indexOf(given), 1);
        resolve(false);
      }, policy.timeoutMs);
      state.waiting.push(given);
    });
  }

  async #request<Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    key: string | null,
  ): Promise<Found> {
    const { policy } = source;
    const { path, headers } = source.request(question, key);
    const address = this.#settings.addressOf(policy) ?? policy.address;
    const bounds: Partial<HttpBounds> = {
      headersMs: policy.timeoutMs,
      idleMs: policy.timeoutMs,
      totalMs: policy.timeoutMs,
      maxBytes: policy.maxBytes,
      maxDecodedBytes: policy.maxBytes,
      maxRedirects: 2,
    };
    const answer = await httpGet(new URL(path, address), { bounds, ...(headers === undefined ? {} : { headers }) });
    return source.read(answer.status, await readText(answer, policy.maxBytes), question);
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

function unavailable(reason: string): { status: 'unavailable'; reason: string; timedOut: boolean } {
  return { status: 'unavailable', reason, timedOut: false };
}

/** In words for the caller: no address, no body of the source. */
function reasonOf(error: unknown): string {
  if (error instanceof NetError) return `the connection failed (${error.code})`;
  if (error instanceof Error && /^status \d+$/.test(error.message)) return `it answered with ${error.message}`;
  return 'its answer could not be read';
}

/** What was asked is not kept in the clear, not even in memory. */
function cacheName(source: string, question: unknown): string {
  return createHash('sha256')
    .update(`${source}\n${JSON.stringify(question)}`)
    .digest('base64url');
}
