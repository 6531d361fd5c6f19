import type { z } from 'zod';
import { identifierKind, KIND_NAMES } from '../analysis/identifier-kind.ts';
import type { CatalogHandle } from '../catalog/handle.ts';
import { CatalogView } from '../catalog/view.ts';
import { type Fault, Refusal } from '../errors.ts';
import type { Outcome, Source } from '../sources/source.ts';
import type { Context } from './context.ts';
import { Evidence } from './evidence.ts';
import type { Health } from './health.ts';
import type { Operation } from './operation.ts';
import type { RenderedAnswers } from './rendered-answers.ts';
import { locationOf } from './route.ts';

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
}

/**
 * Input as a surface received it, checked against the operation's schema. Throws `Refusal` 400 or 422.
 * With the list of operations at hand, an identifier of another kind is pointed to the operation that takes it.
 */
export function parseInput(
  operation: Operation,
  raw: Record<string, unknown>,
  operations: readonly Operation[] = [],
): Record<string, unknown> {
  const parsed = operation.input.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw refusalOf(operation, parsed.error, raw, operations);
}

/** Runs a parsed call; the completed answer as JSON bytes. What was rendered for the same question before is given again. */
export async function runToJson(
  operation: Operation,
  input: Record<string, unknown>,
  services: Services,
  callerGone: () => AbortSignal,
): Promise<Buffer> {
  const { catalog, rendered, now } = services;
  const generation = catalog.current?.id;
  const key = operation.timeless && generation !== undefined ? `${operation.id} ${JSON.stringify(input)}` : null;
  const known = key === null ? null : rendered.get(generation!, key, now());
  if (known !== null) return known;
  const answer = await run(operation, input, services, callerGone);
  const json = JSON.stringify(answer);
  if (key !== null) rendered.put(generation!, key, answer, json, now());
  return Buffer.from(json);
}

/** Runs a parsed call and completes its answer with verdict and next calls. */
export async function run(
  operation: Operation,
  input: Record<string, unknown>,
  services: Services,
  callerGone: () => AbortSignal,
): Promise<Record<string, unknown>> {
  const catalog = services.catalog.current;
  if (catalog === null) throw new Refusal('not_ready', 'There is no catalog yet. Try again in a few seconds.');
  const now = services.now();
  const evidence = new Evidence(catalog.generation.sources, now);
  let signal: AbortSignal | undefined;
  const context: Context = {
    catalog: new CatalogView(catalog, evidence),
    evidence,
    now,
    health: services.health,
    // Made when first wanted: most answers come from the catalog at once.
    get signal() {
      signal ??= callerGone();
      return signal;
    },
    async ask(source, question) {
      const outcome = await services.ask(source, question, this.signal);
      const { id } = source.policy;
      if (outcome.status === 'ok') evidence.asked(id, outcome.ageSeconds);
      else if (outcome.status === 'not_configured') evidence.unavailable(id, 'has no key configured');
      else evidence.unavailable(id, `did not answer: ${outcome.reason}`);
      return outcome;
    },
  };
  const answer = await operation.answer(input, context);
  const completed: Record<string, unknown> = { ...answer };
  if ('verdict' in operation.output.shape) completed.verdict = evidence.verdict(operation.falsifiable);
  if ('next_calls' in operation.output.shape) completed.next_calls = operation.next?.(answer, input) ?? [];
  return completed;
}

/** A path identifier of the wrong form is 400 with its own message; every other fault of the input is 422 with one row each. */
function refusalOf(
  operation: Operation,
  error: z.ZodError,
  raw: Record<string, unknown>,
  operations: readonly Operation[],
): Refusal {
  const rows = error.issues.flatMap((issue) => faultsOf(operation, issue));
  const inPath = rows.find(({ loc }) => loc[0] === 'path');
  if (inPath !== undefined) {
    return new Refusal('invalid_argument', `${inPath.msg}${otherPlace(raw[String(inPath.loc[1])], operation, operations)}`);
  }
  const [first] = rows;
  const where = first === undefined ? 'input' : first.loc.slice(1).join('.');
  const more = rows.length > 1 ? ` (and ${rows.length - 1} more, see detail)` : '';
  return new Refusal('validation_error', `${where}: ${first?.msg ?? 'invalid'}${more}`, { faults: rows });
}

/** Where an identifier of another kind belongs, as a sentence; empty when it looks like nothing known. */
function otherPlace(given: unknown, operation: Operation, operations: readonly Operation[]): string {
  const kind = typeof given === 'string' ? identifierKind(given) : null;
  if (kind === null || kind === operation.subject?.kind) return '';
  const taker = operations.find(({ subject }) => subject?.kind === kind);
  const where = taker === undefined ? '' : `: ${taker.route.replace(/:([a-z_0-9]+)/g, '{$1}')} takes that`;
  return ` It looks like ${KIND_NAMES[kind]}${where}.`;
}

function faultsOf(operation: Operation, issue: z.core.$ZodIssue): Fault[] {
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
    return issue.keys.map((key) => ({ loc: [spareLocation(operation), key], msg: unknownName(operation, key), type: 'unknown_parameter' }));
  }
  const [field, ...rest] = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  if (field === undefined) return [{ loc: [spareLocation(operation)], msg: issue.message, type: issue.code }];
  return [{ loc: [locationOf(operation, String(field)), field, ...rest], msg: issue.message, type: issue.code }];
}

function spareLocation(operation: Operation): 'query' | 'body' {
  return operation.route.startsWith('GET ') ? 'query' : 'body';
}

function unknownName(operation: Operation, key: string): string {
  const known = Object.keys(operation.input.shape).filter((name) => locationOf(operation, name) !== 'path');
  if (known.length === 0) return 'unknown parameter: this operation takes none';
  const nearest = nearestName(key, known);
  return nearest === null
    ? `unknown parameter: this operation takes ${known.join(', ')}`
    : `unknown parameter: did you mean ${nearest}?`;
}

/** The known name with the fewest edits, when they are few enough to be a slip. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase().slice(0, 64), candidate) }))
    .toSorted((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= Math.max(2, Math.floor(best.candidate.length / 3)) ? best.candidate : null;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(row[j - 1]! + 1, previous[j]! + 1, previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    previous = row;
  }
  return previous[b.length]!;
}
