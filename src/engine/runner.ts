import type { CatalogHandle } from '../catalog/catalog-handle.ts';
import { CatalogView } from '../catalog/catalog-view.ts';
import { ApiError } from '../errors.ts';
import type { ExpiringStore } from '../sources/expiring-store.ts';
import type { SourceResult, Source } from '../sources/source.ts';
import type { Context, PersonalContext } from './context.ts';
import { Evidence } from './evidence.ts';
import type { ServiceState } from './service-state.ts';
import { needsCaller, type Operation } from './operation.ts';
import type { ResponseCache } from './response-cache.ts';
import type { CallerAccount } from './caller-account.ts';

/** What stands behind all operations of a process. */
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
}

const NO_ITEMS: readonly string[] = [];
const RETRY_AFTER_SECONDS = 5;
const noop = (): void => {};

/** A call as its surface received it, beside the input. */
export interface OperationCall {
  /** Asked for when first wanted: most answers come from the catalog at once. */
  disconnectSignal(): AbortSignal;
  /** Takes note of a fault of ours that does not end the whole call: in one item of many. */
  reportInternalError?: (error: unknown) => void;
  /** Items of a bulk call that the caller's quota did not reach. */
  skipped?: readonly string[];
  /** Whoever asks, for operations about that. */
  self?: CallerAccount;
}

/** Runs a parsed call; the completed answer as JSON bytes. What was rendered for the same question before is given again. */
export async function runOperationToJson(
  operation: Operation,
  input: Record<string, unknown>,
  services: RunnerDeps,
  call: OperationCall,
): Promise<Buffer> {
  const { catalog, responseCache, now } = services;
  const generation = catalog.current?.instanceId;
  const key = operation.cacheable && generation !== undefined ? `${operation.id} ${JSON.stringify(input)}` : null;
  const known = key === null ? null : responseCache.get(generation!, key, now());
  if (known !== null) return known;
  const answer = await runOperation(operation, input, services, call);
  const json = JSON.stringify(answer);
  if (key !== null) responseCache.put(generation!, key, answer, json, now());
  return Buffer.from(json);
}

/** Runs a parsed call and completes its answer with verdict and next calls. */
export async function runOperation(
  operation: Operation,
  input: Record<string, unknown>,
  services: RunnerDeps,
  call: OperationCall,
): Promise<Record<string, unknown>> {
  const catalog = services.catalog.current;
  if (catalog === null)
    throw new ApiError('not_ready', 'There is no catalog yet. Try again in a few seconds.', { retryAfterSeconds: 5 });
  const now = services.now();
  const evidence = new Evidence(catalog.generation.sources, now);
  let gone: AbortSignal | undefined;
  let signal: AbortSignal | undefined;
  const deadline = (): AbortSignal => {
    gone ??= call.disconnectSignal();
    signal ??= AbortSignal.any([gone, AbortSignal.timeout(operation.deadlineMs)]);
    return signal;
  };
  const attempt: Context['askUnrecorded'] = (source, question) => services.ask(source, question, deadline());
  const context: Context & Partial<PersonalContext> = {
    catalog: new CatalogView(catalog, evidence),
    evidence,
    now,
    serviceState: services.serviceState,
    memory: services.memory,
    reportInternalError: call.reportInternalError ?? noop,
    skipped: call.skipped ?? NO_ITEMS,
    callerPseudonym: call.self?.pseudonym ?? 'local',
    ...(needsCaller(operation) && { self: requireCallerAccount(call) }),
    get signal() {
      return deadline();
    },
    askUnrecorded: attempt,
    async ask(source, question) {
      const outcome = await attempt(source, question);
      evidence.recordOutcome(source.policy, outcome);
      return outcome;
    },
  };
  const answer = await withDeadline(operation, () => operation.answer(input, context)).catch((error: unknown) => {
    throw signal?.aborted === true ? toDeadlineError(operation, error, gone!) : error;
  });
  const completed: Record<string, unknown> = { ...answer };
  if ('verdict' in operation.output.shape) completed.verdict = evidence.verdict(operation.falsifiableFields);
  if ('next_calls' in operation.output.shape) completed.next_calls = operation.nextCalls?.(answer, input) ?? [];
  return completed;
}

/** What an operation still gets after its deadline, to put together what has come by then. */
const DEADLINE_GRACE_MS = 2000;

/** The answer, or a `ApiError` 504 where even its deadline does not bring one. An answer that is here at once waits for no timer. */
async function withDeadline<T>(operation: Operation, work: () => T | Promise<T>): Promise<T> {
  const answer = work();
  if (!(answer instanceof Promise)) return answer;
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(deadlineError(operation)), operation.deadlineMs + DEADLINE_GRACE_MS);
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** What a call ends with that was stopped by its signal: what stopped it is no fault of the service. */
function toDeadlineError(operation: Operation, error: unknown, gone: AbortSignal): unknown {
  if (error instanceof ApiError) return error;
  const { name } = error as { name?: unknown };
  if (name !== 'TimeoutError' && name !== 'AbortError') return error;
  return gone.aborted
    ? new ApiError('upstream_error', 'The caller closed the connection before the answer was there.')
    : deadlineError(operation);
}

function deadlineError({ deadlineMs }: Operation): ApiError {
  const message = `The answer did not come within ${deadlineMs / 1000} s. Try again, or ask for less at once.`;
  return new ApiError('upstream_timeout', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function requireCallerAccount({ self }: OperationCall): CallerAccount {
  if (self !== undefined) return self;
  throw new ApiError('invalid_argument', 'This is about whoever asks, and nobody is known here. Ask over HTTP.');
}
