import type { CatalogHandle } from '../catalog/catalog-handle.ts';
import { ApiError, CallerDisconnectedError, RETRY_AFTER_SECONDS } from '../errors.ts';
import type { ExpiringStore } from '../sources/expiring-store.ts';
import type { SourceResult, Source } from '../sources/source.ts';
import type { Context } from './context.ts';
import { createRecordedView } from './recorded-view.ts';
import type { ServiceState } from './service-state.ts';
import { asksOutside, needsCaller, type Operation, type OperationInput } from './operation.ts';
import type { CachedAnswer } from './cached-answer.ts';
import { cleanAnswer } from './clean-answer.ts';
import type { ResponseCache } from './response-cache.ts';
import type { CallerAccount } from './caller-account.ts';

/** Runs calls in another process. */
export interface CallForwarder {
  /** The completed answer as JSON bytes. Throws what `runOperation` throws, and `ApiError` 503 where the other process cannot take it. */
  run(operation: Operation, input: OperationInput, call: OperationCall): Promise<Buffer>;
}

/** What all operations of a process share. */
export interface RunnerDeps {
  readonly catalog: CatalogHandle;
  readonly ask: <Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    signal: AbortSignal,
  ) => Promise<SourceResult<Found>>;
  readonly responseCache: ResponseCache;
  readonly now: () => Date;
  readonly serviceState: ServiceState;
  readonly memory: ExpiringStore;
  /** Runs the operations that ask outside; absent: they run in this process. */
  readonly forwarder?: CallForwarder;
}

/** A call as its surface received it, beside the input. */
export interface OperationCall {
  /** Creates the signal on first use: most answers need none. */
  readonly disconnectSignal: () => AbortSignal;
  /** Logs an internal error that does not end the whole call: in one item of many. */
  reportInternalError?: ((error: unknown) => void) | undefined;
  /** Items of a bulk call that the caller's quota does not cover. */
  skipped?: readonly string[] | undefined;
  /** The caller, for personal operations. */
  self?: CallerAccount | undefined;
  /** Pseudonym of the caller; default: that of `self`. */
  callerPseudonym?: string | undefined;
  /** Time that is left for the answer; default: the deadline of the operation. */
  remainingMs?: number | undefined;
  /** Receives an answer that may be shared, as the response cache keeps it. */
  onSharedAnswer?: ((answer: CachedAnswer) => void) | undefined;
}

/** Runs a parsed call; the completed answer as JSON bytes. Uses the response cache for cacheable operations. */
export async function runOperationToJson(
  operation: Operation,
  input: OperationInput,
  deps: RunnerDeps,
  call: OperationCall,
): Promise<Buffer> {
  const { catalog, responseCache, now, forwarder } = deps;
  if (forwarder !== undefined && asksOutside(operation)) return forwarder.run(operation, input, call);
  const generation = catalog.openingId;
  const isCacheable = operation.cacheable || operation.cacheableWhen?.(input) === true;
  const key = isCacheable && generation !== null ? responseCacheKey(operation, input) : null;
  let cached = key === null ? null : responseCache.get(generation!, key, now());
  if (cached === null) {
    const answer = await runOperation(operation, input, deps, call);
    const json = JSON.stringify(answer);
    if (key === null) return Buffer.from(json);
    cached = responseCache.put(generation!, key, answer, json, now());
  }
  if (isAnswerShared(operation)) call.onSharedAnswer?.(cached);
  return cached.json(now());
}

/** The answer with this key in the response cache, without counting; null where it is not there. */
export function findCachedAnswer(key: string, { catalog, responseCache, now }: RunnerDeps): CachedAnswer | null {
  return catalog.openingId === null ? null : responseCache.find(catalog.openingId, key, now());
}

/** Operations whose answers had to be waited for. */
const waitingOperations = new WeakSet<Operation>();

/**
 * The answer of a shared operation, made and kept in the response cache without waiting for anything; null where that is not possible: then
 * it is to be run. Throws what `runOperation` throws.
 */
export function makeSharedAnswer(
  operation: Operation,
  input: OperationInput,
  key: string,
  deps: RunnerDeps,
): CachedAnswer | null {
  const { catalog, responseCache, now } = deps;
  const generation = catalog.openingId;
  if (generation === null || waitingOperations.has(operation) || asksOutside(operation)) return null;
  const context = new CallContext(operation, deps, { disconnectSignal: () => new AbortController().signal });
  const answer = operation.answer(input, context);
  if (answer instanceof Promise) {
    waitingOperations.add(operation);
    answer.catch(() => {});
    return null;
  }
  responseCache.misses++;
  const completed = completeAnswer(operation, input, context, answer);
  return responseCache.put(generation, key, completed, JSON.stringify(completed), now());
}

/** Whether a call that is repeated may be answered from memory, by its input as it was sent: its price is known, and it is about nobody. */
export function isAnswerShared(operation: Operation): boolean {
  const { cacheable, bulk, personal } = operation;
  return cacheable && bulk === undefined && personal === undefined && operation.prepareInput === undefined;
}

/** The key of an answer in the response cache. */
export function responseCacheKey({ id }: Operation, input: OperationInput): string {
  return `${id} ${JSON.stringify(input)}`;
}

/** Runs a parsed call and completes its answer with verdict and next calls. */
export async function runOperation(
  operation: Operation,
  input: OperationInput,
  deps: RunnerDeps,
  call: OperationCall,
): Promise<Record<string, unknown>> {
  const context = new CallContext(operation, deps, call);
  let answer: Record<string, unknown>;
  try {
    const pending = operation.answer(input, context);
    // Without this test a synchronous answer would wait for one more turn of the event loop.
    answer = pending instanceof Promise ? await withDeadline(operation, context.remainingMs, pending) : pending;
  } catch (error) {
    throw context.abortErrorOf(error);
  }
  return completeAnswer(operation, input, context, answer);
}

/** The answer with what the runner adds, clean for every surface. */
function completeAnswer(
  operation: Operation,
  input: OperationInput,
  { evidence }: Context,
  answer: Record<string, unknown>,
): Record<string, unknown> {
  const completed = { ...answer };
  if ('verdict' in operation.output.shape) completed.verdict = evidence.verdict(operation.falsifiableFields);
  if ('next_calls' in operation.output.shape)
    completed.next_calls = (operation.nextCalls?.(answer, input) ?? []).map((call) => ({ ...call, value: call.input }));
  return cleanAnswer(completed);
}

/** Time after the deadline for an operation to answer with what it has by then. */
export const DEADLINE_GRACE_MS = 2000;

/** The answer; `ApiError` 504 if it is not ready at the deadline plus the grace time. */
async function withDeadline<T>(operation: Operation, remainingMs: number, answer: Promise<T>): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(deadlineError(operation)), remainingMs + DEADLINE_GRACE_MS);
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer));
}

/** The context of one call. What most answers do not use is made when it is first asked for. */
class CallContext implements Context {
  readonly catalog: Context['catalog'];
  readonly evidence: Context['evidence'];
  readonly now: Date;
  readonly serviceState: ServiceState;
  readonly memory: ExpiringStore;
  readonly reportInternalError: Context['reportInternalError'];
  readonly skipped: readonly string[];
  readonly callerPseudonym: string;
  readonly self: CallerAccount | undefined;
  /** Milliseconds until the deadline, at the start of the call. */
  readonly remainingMs: number;
  readonly #operation: Operation;
  readonly #deps: RunnerDeps;
  readonly #call: OperationCall;
  #disconnected: AbortSignal | undefined;
  #signal: AbortSignal | undefined;

  constructor(operation: Operation, deps: RunnerDeps, call: OperationCall) {
    const { catalog, evidence, now } = createRecordedView(deps);
    this.catalog = catalog;
    this.evidence = evidence;
    this.now = now;
    this.serviceState = deps.serviceState;
    this.memory = deps.memory;
    this.reportInternalError = call.reportInternalError ?? (() => {});
    this.skipped = call.skipped ?? [];
    this.callerPseudonym = call.callerPseudonym ?? call.self?.pseudonym ?? 'local';
    this.remainingMs = call.remainingMs ?? operation.deadlineMs;
    this.self = needsCaller(operation) ? requireCallerAccount(call) : undefined;
    this.#operation = operation;
    this.#deps = deps;
    this.#call = call;
  }

  get signal(): AbortSignal {
    this.#disconnected ??= this.#call.disconnectSignal();
    this.#signal ??= AbortSignal.any([this.#disconnected, AbortSignal.timeout(this.remainingMs)]);
    return this.#signal;
  }

  get askUnrecorded(): Context['askUnrecorded'] {
    return (source, question) => this.#deps.ask(source, question, this.signal);
  }

  get ask(): Context['ask'] {
    return async (source, question) => {
      const outcome = await this.askUnrecorded(source, question);
      this.evidence.recordOutcome(source.policy, outcome);
      return outcome;
    };
  }

  /** What a caller gets for an error of the answer. */
  abortErrorOf(error: unknown): unknown {
    return this.#signal?.aborted === true ? toAbortError(this.#operation, error, this.#disconnected!) : error;
  }
}

/** The error of a call whose signal was aborted: by the caller who disconnected, or by the deadline (504). */
function toAbortError(operation: Operation, error: unknown, disconnected: AbortSignal): unknown {
  if (error instanceof ApiError) return error;
  const { name } = error as { name?: unknown };
  if (name !== 'TimeoutError' && name !== 'AbortError') return error;
  return disconnected.aborted ? new CallerDisconnectedError() : deadlineError(operation);
}

/** `ApiError` 504 of a call whose answer did not come in time. */
export function deadlineError({ deadlineMs }: Operation): ApiError {
  const message = `The answer did not come within ${deadlineMs / 1000} s. Try again, or ask for less at once.`;
  return new ApiError('upstream_timeout', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function requireCallerAccount({ self }: OperationCall): CallerAccount {
  if (self !== undefined) return self;
  throw new ApiError(
    'invalid_argument',
    'This answer is about its caller, and no caller is known here. Ask over HTTP.',
  );
}
