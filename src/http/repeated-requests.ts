import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Access } from '../access/access.ts';
import { priceOf } from '../access/admission-controller.ts';
import type { Caller } from '../access/caller.ts';
import type { OriginCheck } from '../access/origin-policy.ts';
import type { MaybePromise } from '../access/maybe-promise.ts';
import { type QuotaStatus, setRateLimitHeaders } from '../access/quota-status.ts';
import type { Operation, OperationInput } from '../engine/operation.ts';
import type { CachedAnswer } from '../engine/response-cache.ts';
import { isAnswerShared, responseCacheKey, type RunnerDeps } from '../engine/runner.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { hasOptedOutOfTracking, refusedRequestsError } from './caller-identification.ts';
import { logRequest } from './log-request.ts';
import { originError, protocolError } from './request-checks.ts';
import { requestIdOf } from './request-id.ts';

/** A request that was answered before, known by its URL. */
interface KnownRequest {
  operation: Operation;
  /** The path template, for the log. */
  route: string;
  cacheKey: string;
  price: number;
  /** Headers that all responses of this operation have: names and values in turn. */
  headers: readonly string[];
}

interface RepeatedRequestsDeps {
  runnerDeps: RunnerDeps;
  access: Access;
  logger: FastifyBaseLogger;
  originCheck: OriginCheck;
  metrics: Metrics | undefined;
}

const MAX_KNOWN = 20_000;
const MAX_URL_CHARACTERS = 500;
/** Headers with which a request takes the usual way: it has a body, is answered in parts, or comes from a page (CORS). */
const UNUSUAL_HEADERS = ['origin', 'expect', 'content-length', 'transfer-encoding'] as const;
/** Headers of a response that are those of one request. */
const OWN_HEADERS = /^(x-request-id|content-length|x-ratelimit-.*)$/;

/**
 * Answers a GET whose URL was answered before and whose answer is in the response cache, without the framework, which would cost several
 * times as much as the rest (docs/decisions/022-repeated-requests.md). A request that is unusual in any respect, or would be refused, is
 * left to the framework, before anything was charged or counted.
 */
export class RepeatedRequests {
  readonly #deps: RepeatedRequestsDeps;
  readonly #knownByUrl = new LRUCache<string, KnownRequest>({ max: MAX_KNOWN });
  readonly #headersByOperation = new Map<Operation, readonly string[]>();
  #stopped = false;

  constructor(deps: RepeatedRequestsDeps) {
    this.#deps = deps;
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
    let headers = this.#headersByOperation.get(operation);
    if (headers === undefined) {
      const shared = Object.entries(reply.getHeaders()).filter(([name]) => !OWN_HEADERS.test(name));
      headers = shared.flatMap(([name, value]) => [name, String(value)]);
      this.#headersByOperation.set(operation, headers);
    }
    this.#knownByUrl.set(url, {
      operation,
      route: routeOptions.url!,
      cacheKey: responseCacheKey(operation, input),
      price: priceOf(operation, input),
      headers,
    });
  }

  /** Answers the request, or calls `otherwise`, once. */
  answer(request: IncomingMessage, response: ServerResponse, otherwise: () => void): void {
    const started = performance.now();
    const known = request.method === 'GET' && !this.#stopped ? this.#knownByUrl.get(request.url!) : undefined;
    const cached = known === undefined || isUnusual(request) ? null : this.#find(known);
    if (known === undefined || cached === null || this.#isRefused(request)) return otherwise();
    const { callRunner, admission } = this.#deps.access;
    const optedOut = hasOptedOutOfTracking(request.headers);
    const send = (status: QuotaStatus | null): void => {
      if (status === null) otherwise();
      else this.#send(request, response, { known, cached, status, started });
    };
    const charge = (caller: Caller): void => {
      const { operation, price } = known;
      whenReady(() => callRunner.chargeAnswered({ caller, operation, optedOut }, price), send, otherwise);
    };
    whenReady(() => admission.authenticate(request), charge, otherwise);
  }

  /** From now on every request is left to the framework, which closes its connections. */
  stop(): void {
    this.#stopped = true;
  }

  #find({ cacheKey }: KnownRequest): CachedAnswer | null {
    const { catalog, responseCache, now } = this.#deps.runnerDeps;
    return catalog.openingId === null ? null : responseCache.find(catalog.openingId, cacheKey, now());
  }

  #isRefused(request: IncomingMessage): boolean {
    const { access, originCheck } = this.#deps;
    const error =
      protocolError(request) ?? originError(originCheck, request, false) ?? refusedRequestsError(access, request);
    return error !== null;
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    {
      known,
      cached,
      status,
      started,
    }: { known: KnownRequest; cached: CachedAnswer; status: QuotaStatus; started: number },
  ): void {
    const { operation, route, headers: shared } = known;
    const { runnerDeps, logger, metrics } = this.#deps;
    const body = runnerDeps.responseCache.use(cached, runnerDeps.now());
    const id = requestIdOf(request);
    const headers = ['x-request-id', id, ...shared];
    setRateLimitHeaders(status, (name, value) => headers.push(name, value));
    headers.push('content-length', String(body.length));
    response.writeHead(200, headers).end(body);
    const milliseconds = performance.now() - started;
    logRequest(logger, { id, method: request.method, route, status: 200, milliseconds });
    metrics?.recordHttpRequest(operation.id, 200, milliseconds / 1000);
  }
}

function isUnusual({ headers }: IncomingMessage): boolean {
  return UNUSUAL_HEADERS.some((name) => headers[name] !== undefined);
}

/** Calls `use` with the value that `start` gives, at once or when it is there; `otherwise` if there is none. */
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
