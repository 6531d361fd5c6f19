import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { createLruCache } from '../lru-cache.ts';
import type { Access } from '../access/access.ts';
import { priceOf } from '../access/admission-controller.ts';
import type { Caller } from '../access/caller.ts';
import type { OriginCheck } from '../access/origin-policy.ts';
import type { MaybePromise } from '../access/maybe-promise.ts';
import { type QuotaStatus, setRateLimitHeaders } from '../access/quota-status.ts';
import { type CachedAnswer, joinParts, type Representation } from '../engine/cached-answer.ts';
import type { Operation, OperationInput } from '../engine/operation.ts';
import {
  findCachedAnswer,
  isAnswerShared,
  makeSharedAnswer,
  responseCacheKey,
  type RunnerDeps,
} from '../engine/runner.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { type AnswerForm, answerFormOf, type AnswerRenderer } from './answer-form.ts';
import { hasOptedOutOfTracking, refusedRequestsError } from './caller-identification.ts';
import { logRequest } from './log-request.ts';
import { originError, protocolError } from './request-checks.ts';
import { PlainPaths } from './plain-paths.ts';
import { requestIdOf } from './request-id.ts';
import { SharedHeaders } from './shared-headers.ts';
import { isKeptOpen, type KnownHeadAnswerer, responseHead, type WrittenResponse } from './unparsed-requests.ts';

/** A request, known by its URL. */
interface KnownRequest {
  operation: Operation;
  /** The path template, for the log. */
  route: string;
  cacheKey: string;
  price: number;
  shared: SharedHeaders;
}

/** What the headers of a request say. */
interface HeadFacts {
  form: AnswerForm;
  optedOut: boolean;
}

/** A response that waits for its charge. */
interface Prepared {
  url: string;
  known: KnownRequest;
  /** Null: it is still to be made from `input`. */
  cached: CachedAnswer | null;
  input: OperationInput | null;
  /** The client has the answer: it is not sent again, and costs nothing. */
  isUnchanged: boolean;
  price: number;
}

interface RepeatedRequestsDeps {
  operations: readonly Operation[];
  runnerDeps: RunnerDeps;
  access: Access;
  logger: FastifyBaseLogger;
  originCheck: OriginCheck;
  metrics: Metrics | undefined;
  renderer: AnswerRenderer;
}

/** A response that is paid for. */
interface Charged {
  status: QuotaStatus;
  answer: CachedAnswer;
}

const MAX_KNOWN = 20_000;
const MAX_URL_CHARACTERS = 500;
/** Headers with which a request takes the usual way: it has a body, is answered in parts, or comes from a page (CORS). */
const UNUSUAL_HEADERS = ['origin', 'expect', 'content-length', 'transfer-encoding'] as const;

/**
 * Answers a GET whose URL was answered before and whose answer is in the response cache, or whose URL says all and whose answer can be
 * made at once, without the framework, which would cost several times as much as the rest (docs/decisions/022-repeated-requests.md and
 * 026-fresh-look-ups.md). A request that is unusual in any respect, or would be refused, is left to the framework, before anything was
 * charged or counted.
 */
export class RepeatedRequests {
  readonly #deps: RepeatedRequestsDeps;
  readonly #knownByUrl = createLruCache<string, KnownRequest>(MAX_KNOWN);
  readonly #headersByOperation = new Map<Operation, SharedHeaders>();
  readonly #plainPaths: PlainPaths;
  #stopped = false;

  constructor(deps: RepeatedRequestsDeps) {
    this.#deps = deps;
    this.#plainPaths = new PlainPaths(deps.operations);
  }

  /** Remembers a request of an operation's route that is about to be answered with 200 and the headers set so far. */
  remember(
    { raw, method, routeOptions }: FastifyRequest,
    reply: FastifyReply,
    operation: Operation,
    input: OperationInput,
  ): void {
    const url = raw.url!;
    if (!isAnswerShared(operation) || method !== 'GET' || url.length > MAX_URL_CHARACTERS || isUnusual(raw)) return;
    let shared = this.#headersByOperation.get(operation);
    if (shared === undefined) {
      shared = new SharedHeaders(reply.getHeaders());
      this.#headersByOperation.set(operation, shared);
    }
    this.#knownByUrl.set(url, {
      operation,
      route: routeOptions.url!,
      cacheKey: responseCacheKey(operation, input),
      price: priceOf(operation, input),
      shared,
    });
  }

  /** Answers the request, or calls `otherwise`, once. */
  answer(request: IncomingMessage, response: ServerResponse, otherwise: () => void): void {
    const started = performance.now();
    if (request.method !== 'GET' || isUnusual(request)) return otherwise();
    const facts = factsOf(request);
    const prepared = this.#prepare(request.url!, facts);
    if (prepared === null || this.#isRefused(request)) return otherwise();
    const { callRunner, admission } = this.#deps.access;
    const { optedOut } = facts;
    const { known, cached, price } = prepared;
    const write = (charged: Charged): void => {
      const id = requestIdOf(request);
      const { code, headers, parts } = this.#render(prepared, charged, facts.form, id);
      response.writeHead(code, [...headers, ...known.shared.list(code)]).end(joinParts(parts));
      this.#record(known, id, code, started);
    };
    if (cached === null) {
      const charged = this.#chargeAtOnce(prepared, request, optedOut);
      return charged === null ? otherwise() : write(charged);
    }
    const send = (status: QuotaStatus | null): void => {
      if (status === null) otherwise();
      else write({ status, answer: cached });
    };
    const charge = (caller: Caller): void => {
      const { operation } = known;
      whenReady(() => callRunner.chargeAnswered({ caller, operation, optedOut }, price), send, otherwise);
    };
    whenReady(() => admission.authenticate(request), charge, otherwise);
  }

  /** What answers GET requests with the head of this one, whatever their URL; null where they must be parsed. */
  judge(request: IncomingMessage): KnownHeadAnswerer | null {
    if (request.method !== 'GET' || !isKeptOpen(request) || isUnusual(request)) return null;
    if (this.#headersError(request) !== null) return null;
    const facts = factsOf(request);
    return (url) => this.#answerAtOnce(url, request, facts);
  }

  /** From now on every request is left to the framework, which closes its connections. */
  stop(): void {
    this.#stopped = true;
  }

  #answerAtOnce(url: string, request: IncomingMessage, facts: HeadFacts): WrittenResponse | null {
    const started = performance.now();
    const prepared = this.#prepare(url, facts);
    const { access } = this.#deps;
    if (prepared === null || refusedRequestsError(access, request) !== null) return null;
    const { known } = prepared;
    const charged = this.#chargeAtOnce(prepared, request, facts.optedOut);
    if (charged === null) return null;
    const id = requestIdOf(request);
    const { code, headers, parts } = this.#render(prepared, charged, facts.form, id);
    const head = responseHead(code, headers, known.shared.lines(code));
    this.#record(known, id, code, started);
    return { head, parts };
  }

  /** The answer of a URL, if it is in memory or may be made at once. */
  #prepare(url: string, { form }: HeadFacts): Prepared | null {
    if (this.#stopped) return null;
    const { runnerDeps, renderer } = this.#deps;
    const found = this.#knownByUrl.get(url);
    const cached = found === undefined ? null : findCachedAnswer(found.cacheKey, runnerDeps);
    if (found === undefined || cached === null) return form.knownTags === undefined ? this.#prepareNew(url) : null;
    const isUnchanged = renderer.isKnown(cached, form);
    return { url, known: found, cached, input: null, isUnchanged, price: isUnchanged ? 0 : found.price };
  }

  #prepareNew(url: string): Prepared | null {
    const plain = this.#plainPaths.read(url);
    const shared = plain === null ? undefined : this.#headersByOperation.get(plain.operation);
    // The first answer of an operation is the framework's, which makes the headers of all others.
    if (plain === null || shared === undefined) return null;
    const { operation, route, input } = plain;
    const known = {
      operation,
      route,
      cacheKey: responseCacheKey(operation, input),
      price: priceOf(operation, input),
      shared,
    };
    const cached = findCachedAnswer(known.cacheKey, this.#deps.runnerDeps);
    return { url, known, cached, input, isUnchanged: false, price: known.price };
  }

  #chargeAtOnce(
    { url, known, cached, input, price }: Prepared,
    request: IncomingMessage,
    optedOut: boolean,
  ): Charged | null {
    const { runnerDeps, access } = this.#deps;
    const { operation, cacheKey } = known;
    const call = { operation, optedOut };
    if (cached === null) {
      const make = () => makeSharedAnswer(operation, input!, cacheKey, runnerDeps);
      const made = access.callRunner.chargeAndMakeAtOnce(request, call, price, make);
      if (made !== null) this.#knownByUrl.set(url, known);
      return made;
    }
    const status = access.callRunner.chargeAnsweredAtOnce(request, call, price);
    return status === null ? null : { status, answer: cached };
  }

  #isRefused(request: IncomingMessage): boolean {
    return this.#headersError(request) !== null || refusedRequestsError(this.#deps.access, request) !== null;
  }

  #headersError(request: IncomingMessage): Error | null {
    return protocolError(request) ?? originError(this.#deps.originCheck, request, false);
  }

  /** Status, the headers that are those of one response (names and values in turn), and the body. */
  #render(
    { cached, isUnchanged }: Prepared,
    { status, answer }: Charged,
    form: AnswerForm,
    id: string,
  ): { code: 200 | 304; headers: string[]; parts: Representation['parts'] } {
    const { runnerDeps, renderer } = this.#deps;
    if (cached !== null) runnerDeps.responseCache.hits++;
    const headers = ['x-request-id', id, 'etag', renderer.entityTagOf(answer)];
    setRateLimitHeaders(status, (name, value) => headers.push(name, value));
    if (isUnchanged) return { code: 304, headers, parts: [] };
    const { parts, bytes, isGzip } = renderer.render(answer, form);
    if (isGzip) headers.push('content-encoding', 'gzip');
    headers.push('content-length', String(bytes));
    return { code: 200, headers, parts };
  }

  #record({ operation, route }: KnownRequest, id: string, status: number, started: number): void {
    const { logger, metrics } = this.#deps;
    const milliseconds = performance.now() - started;
    logRequest(logger, { id, method: 'GET', route, status, milliseconds });
    metrics?.recordHttpRequest(operation.id, status, milliseconds / 1000);
  }
}

function factsOf({ headers }: IncomingMessage): HeadFacts {
  return { form: answerFormOf(headers), optedOut: hasOptedOutOfTracking(headers) };
}

function isUnusual({ headers }: IncomingMessage): boolean {
  return UNUSUAL_HEADERS.some((name) => headers[name] !== undefined);
}

/** Calls `use` with the value that `start` returns or resolves with; `otherwise` if it throws or rejects. */
function whenReady<T>(start: () => MaybePromise<T>, use: (value: T) => void, otherwise: () => void): void {
  let value: MaybePromise<T>;
  try {
    value = start();
  } catch {
    return otherwise();
  }
  if (value instanceof Promise) value.then(use, otherwise);
  else use(value);
}
