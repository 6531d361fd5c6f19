import { availableParallelism } from 'node:os';
import { entryModuleUrl } from '../program-files.ts';
import { ThreadPool } from './thread-pool.ts';
import { type TaskInput, type TaskOutput, TASKS, type TaskName } from './tasks.ts';

/** In bytes or characters. Smaller input takes about a millisecond, less than passing it to a thread. */
export const INLINE_BELOW_SIZE = 16 * 1024;

const DEFAULT_TIMEOUT_MS = 10_000;

const threadPool = new ThreadPool({
  entry: entryModuleUrl('threads/thread-entry.ts'),
  maxThreads: Math.max(1, Math.min(4, availableParallelism() - 1)),
  maxQueued: 64,
  idleMs: 300_000,
  heapMb: 384,
});

export interface RunTaskOptions {
  /** Rejects with the signal's reason. Work in a thread is ended; work on the event loop is only kept from starting. */
  signal?: AbortSignal;
  /** In a thread: waiting for it and working, together; default: 10 s. On the event loop there is no limit. */
  timeoutMs?: number;
  /**
   * Size of the input, in bytes or characters. Below `INLINE_BELOW_SIZE` the task runs on the event loop: for tasks that are quick
   * to load. Default: always in a thread.
   */
  inputSize?: number;
}

/**
 * Runs a task: small input (`inputSize`) on the event loop, other input in a thread. Input and output are plain data. Rejects with
 * the task's own error (an `ApiError` keeps its class), or with `ApiError` 503 `not_ready` where the queue is full or the time is over.
 */
export async function runTask<Name extends TaskName>(
  task: Name,
  input: TaskInput<Name>,
  { signal, timeoutMs = DEFAULT_TIMEOUT_MS, inputSize = Number.POSITIVE_INFINITY }: RunTaskOptions = {},
): Promise<TaskOutput<Name>> {
  if (inputSize >= INLINE_BELOW_SIZE)
    return (await threadPool.run({ task, input }, { timeoutMs, signal })) as TaskOutput<Name>;
  signal?.throwIfAborted();
  const run = (await TASKS[task]()) as (given: TaskInput<Name>) => TaskOutput<Name> | Promise<TaskOutput<Name>>;
  return run(input);
}
