import type { CatalogHandle } from '../catalog/handle.ts';
import { CatalogView } from '../catalog/view.ts';
import { Refusal } from '../errors.ts';
import type { Memory } from '../sources/memory.ts';
import type { Outcome, Source } from '../sources/source.ts';
import type { Context, PersonalContext } from './context.ts';
import { Evidence } from './evidence.ts';
import type { Health } from './service-state.ts';
import { isAboutCaller, type Operation } from './operation.ts';
import type { RenderedAnswers } from './response-cache.ts';
import type { Self } from './self.ts';

/** What stands behind all operations of a process. */
export interface Services {
  readonly catalog: CatalogHandle;
  readonly ask: <Question, Found>(
    source: Source<Question, Found>,
    question: Question,
    signal: AbortSignal,
  ) => Promise<Outcome<Found>>;
  readonly rendered: RenderedAnswers;
  readonly now: () => Date;
  readonly health: Health;
  readonly memory: Memory;
}

const NONE: readonly string[] = [];
const RETRY_AFTER_SECONDS = 5;
const ignore = (): void => {};

/** A call as its surface received it, beside the input. */
export interface Call {
  /** Asked for when first wanted: most answers come from the catalog at once. */
  callerGone(): AbortSignal;
  /** Takes note of a fault of ours that does not end the whole call: in one item of many. */
  fault?: (error: unknown) => void;
  /** Items of a bulk call that the caller's quota did not reach. */
  skipped?: readonly string[];
  /** Whoever asks, for operations about that. */
  self?: Self;
}

/** Runs a parsed call; the completed answer as JSON bytes. What was rendered for the same question before is given again. */
export async function runToJson(
  operation: Operation,
  input: Record<string, unknown>,
  services: Services,
  call: Call,
): Promise<Buffer> {
  const { catalog, rendered, now } = services;
  const generation = catalog.current?.id;
  const key = operation.timeless && generation !== undefined ? `${operation.id} ${JSON.stringify(input)}` : null;
  const known = key === null ? null : rendered.get(generation!, key, now());
  if (known !== null) return known;
  const answer = await run(operation, input, services, call);
  const json = JSON.stringify(answer);
  if (key !== null) rendered.put(generation!, key, answer, json, now());
  return Buffer.from(json);
}

/** Runs a parsed call and completes its answer with verdict and next calls. */
export async function run(
  operation: Operation,
  input: Record<string, unknown>,
  services: Services,
  call: Call,
): Promise<Record<string, unknown>> {
  const catalog = services.catalog.current;
  if (catalog === null)
    throw new Refusal('not_ready', 'There is no catalog yet. Try again in a few seconds.', { retryAfterSeconds: 5 });
  const now = services.now();
  const evidence = new Evidence(catalog.generation.sources, now);
  let gone: AbortSignal | undefined;
  let signal: AbortSignal | undefined;
  const deadline = (): AbortSignal => {
    gone ??= call.callerGone();
    signal ??= AbortSignal.any([gone, AbortSignal.timeout(operation.deadlineMs)]);
    return signal;
  };
  const attempt: Context['attempt'] = (source, question) => services.ask(source, question, deadline());
  const context: Context & Partial<PersonalContext> = {
    catalog: new CatalogView(catalog, evidence),
    evidence,
    now,
    health: services.health,
    memory: services.memory,
    fault: call.fault ?? ignore,
    skipped: call.skipped ?? NONE,
    callerName: call.self?.name ?? 'local',
    ...(isAboutCaller(operation) && { self: knownSelf(call) }),
    get signal() {
      return deadline();
    },
    attempt,
    async ask(source, question) {
      const outcome = await attempt(source, question);
      evidence.outcome(source.policy, outcome);
      return outcome;
    },
  };
  const answer = await inTime(operation, () => operation.answer(input, context)).catch((error: unknown) => {
    throw signal?.aborted === true ? ended(operation, error, gone!) : error;
  });
  const completed: Record<string, unknown> = { ...answer };
  if ('verdict' in operation.output.shape) completed.verdict = evidence.verdict(operation.falsifiable);
  if ('next_calls' in operation.output.shape) completed.next_calls = operation.next?.(answer, input) ?? [];
  return completed;
}

/** What an operation still gets after its deadline, to put together what has come by then. */
const GRACE_MS = 2000;

/** The answer, or a `Refusal` 504 where even its deadline does not bring one. An answer that is here at once waits for no timer. */
async function inTime<T>(operation: Operation, work: () => T | Promise<T>): Promise<T> {
  const answer = work();
  if (!(answer instanceof Promise)) return answer;
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tooLate(operation)), operation.deadlineMs + GRACE_MS);
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** What a call ends with that was stopped by its signal: what stopped it is no fault of the service. */
function ended(operation: Operation, error: unknown, gone: AbortSignal): unknown {
  if (error instanceof Refusal) return error;
  const { name } = error as { name?: unknown };
  if (name !== 'TimeoutError' && name !== 'AbortError') return error;
  return gone.aborted
    ? new Refusal('upstream_error', 'The caller closed the connection before the answer was there.')
    : tooLate(operation);
}

function tooLate({ deadlineMs }: Operation): Refusal {
  const message = `The answer did not come within ${deadlineMs / 1000} s. Try again, or ask for less at once.`;
  return new Refusal('upstream_timeout', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function knownSelf({ self }: Call): Self {
  if (self !== undefined) return self;
  throw new Refusal('invalid_argument', 'This is about whoever asks, and nobody is known here. Ask over HTTP.');
}
