import { parseInput } from '../../engine/input/parse-input.ts';
import { convertTextInput } from '../../engine/input/text-input.ts';
import type { Operation, OperationInput } from '../../engine/operation.ts';
import { runOperation } from '../../engine/runner.ts';
import { ApiError } from '../../errors.ts';
import { CliError } from '../../exit-codes.ts';
import { watchCreate } from '../../operations/watches/watch-create.ts';
import { watchDelete } from '../../operations/watches/watch-delete.ts';
import { watchDeliveries } from '../../operations/watches/watch-deliveries.ts';
import { watchEvents } from '../../operations/watches/watch-events.ts';
import { watchList } from '../../operations/watches/watch-list.ts';
import { watchLookup } from '../../operations/watches/watch-lookup.ts';
import { watchReplay } from '../../operations/watches/watch-replay.ts';
import { watchTest } from '../../operations/watches/watch-test.ts';
import { watchUpdate } from '../../operations/watches/watch-update.ts';
import type { PrintOptions } from '../print-options.ts';
import { printAnswer } from '../run-and-print.ts';
import { whileWatching } from './run-watches.ts';
import { type LocalWatches, withLocalWatches } from './with-local-watches.ts';

const OPERATIONS = {
  watch_create: watchCreate,
  watch_delete: watchDelete,
  watch_deliveries: watchDeliveries,
  watch_events: watchEvents,
  watch_list: watchList,
  watch_lookup: watchLookup,
  watch_replay: watchReplay,
  watch_test: watchTest,
  watch_update: watchUpdate,
} as const;
export type WatchCommandId = keyof typeof OPERATIONS;
/** What they ask for is done by the service, or by this process. */
const NEEDS_WORK: ReadonlySet<WatchCommandId> = new Set(['watch_replay', 'watch_test']);

/** Runs an operation as the local user. Throws `CliError` (usage) for input that is not valid, `ApiError`. */
export async function runWatchOperation(
  id: WatchCommandId,
  given: Record<string, unknown>,
  { runnerDeps, account }: LocalWatches,
): Promise<{ operation: Operation; input: OperationInput; answer: Record<string, unknown> }> {
  const operation = OPERATIONS[id] as unknown as Operation;
  try {
    const input = parseInput(operation, convertTextInput(operation.input, given));
    const call = { disconnectSignal: () => new AbortController().signal, self: account };
    return { operation, input, answer: await runOperation(operation, input, runnerDeps, call) };
  } catch (error) {
    throw error instanceof ApiError && (error.issues !== null || error.status === 400)
      ? new CliError('usage', error.message)
      : error;
  }
}

export async function runAndPrintWatchOperation(
  id: WatchCommandId,
  given: Record<string, unknown>,
  options: PrintOptions,
): Promise<void> {
  const { operation, input, answer } = await withLocalWatches((local) => {
    const run = (by: LocalWatches) => runWatchOperation(id, given, by);
    return NEEDS_WORK.has(id) ? whileWatching(local, run) : run(local);
  });
  await printAnswer(operation, answer, input, options);
}
