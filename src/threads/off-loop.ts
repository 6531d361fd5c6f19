import { availableParallelism } from 'node:os';
import { Pool } from './pool.ts';
import { type Input, type Output, TASKS, type TaskName } from './tasks.ts';

/** Work on less than this takes about a millisecond: less than it is worth to hand it over. */
export const INLINE_BELOW_BYTES = 16 * 1024;

const TIMEOUT_MS = 10_000;

const pool = new Pool({
  entry: new URL('thread.ts', import.meta.url),
  threads: Math.max(1, Math.min(4, availableParallelism() - 1)),
  queue: 64,
  idleMs: 300_000,
  memoryMb: 384,
});

export interface OffLoopOptions {
  /** The work ends when this is aborted; the promise is rejected with its reason. */
  signal?: AbortSignal;
  /** Waiting for a thread and working, together; default: 10 s. */
  timeoutMs?: number;
  /**
   * Size of the input. Below `INLINE_BELOW_BYTES` the task runs here, at once: for tasks that are quick to load. Default: always in
   * a thread.
   */
  size?: number;
}

/**
 * Does long work in a thread, so that the event loop never waits for it. Input and output are plain data.
 * Rejects with the task's own error (a `Refusal` stays one), or with `Refusal` 503 `not_ready` where too much is being worked on
 * or the time is over.
 */
export async function offLoop<Name extends TaskName>(
  task: Name,
  input: Input<Name>,
  { signal, timeoutMs = TIMEOUT_MS, size = Number.POSITIVE_INFINITY }: OffLoopOptions = {},
): Promise<Output<Name>> {
  if (size >= INLINE_BELOW_BYTES) return (await pool.run({ task, input }, { timeoutMs, signal })) as Output<Name>;
  const run = (await TASKS[task]()) as (given: Input<Name>) => Output<Name> | Promise<Output<Name>>;
  return run(input);
}
