import type { OperationInput } from '../../engine/operation.ts';
import type { RunnerDeps } from '../../engine/runner.ts';
import { EXIT_CODES, type ExitCodeName } from '../../exit-codes.ts';
import { describeFailure } from '../report-failure.ts';
import { type Found, lookUp, type LookupOptions } from './look-up.ts';
import type { Thing } from './read-things.ts';

/** Questions under way at once. */
const CONCURRENCY = 8;

/** What became of one thing of a list, as `--json` has it. */
export interface Outcome {
  readonly given: string;
  readonly kind: Thing['kind'];
  readonly value: string;
  readonly status: 'ok' | 'not_found' | 'not_recognised' | 'failed';
  readonly operation: string | null;
  readonly input: OperationInput | null;
  readonly answer: Record<string, unknown> | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** The outcome of each thing, in the order given, as soon as those before it are known. Never throws because of one of them. */
export async function* lookUpMany(
  things: readonly Thing[],
  deps: RunnerDeps,
  options: LookupOptions,
): AsyncGenerator<Outcome> {
  const pending: Promise<Outcome>[] = [];
  for (const thing of things) {
    pending.push(outcomeOf(thing, lookUp(thing, deps, options)));
    if (pending.length >= CONCURRENCY) yield await pending.shift()!;
  }
  for (const outcome of pending) yield await outcome;
}

async function outcomeOf({ given, kind, value }: Thing, looking: Promise<Found>): Promise<Outcome> {
  try {
    const { operation, input, answer } = await looking;
    return { given, kind, value, status: 'ok', operation: operation?.id ?? null, input, answer, error: null };
  } catch (error) {
    const { exit, code, message } = describeFailure(error);
    const status = exit === 'not_found' ? 'not_found' : exit === 'usage' ? 'not_recognised' : 'failed';
    return { given, kind, value, status, operation: null, input: null, answer: null, error: { code, message } };
  }
}

/** How many outcomes have which status. */
export function countOutcomes(outcomes: readonly Pick<Outcome, 'status'>[]) {
  const count = (status: Outcome['status']): number => outcomes.filter((one) => one.status === status).length;
  return {
    total: outcomes.length,
    answered: count('ok'),
    not_found: count('not_found'),
    not_recognised: count('not_recognised'),
    failed: count('failed'),
  };
}

/** The exit status of a list: that a question failed counts before what was not recognised, and that before what is not known. */
export function listExitStatus({ failed, not_recognised, not_found }: ReturnType<typeof countOutcomes>): number {
  const exit: ExitCodeName = failed > 0 ? 'failed' : not_recognised > 0 ? 'usage' : not_found > 0 ? 'not_found' : 'ok';
  return EXIT_CODES[exit].status;
}
