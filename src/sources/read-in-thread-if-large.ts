import { availableParallelism } from 'node:os';
import { ThreadPool } from '../threads/thread-pool.ts';

/** What reading less than this takes is no wait for others. */
const INLINE_BELOW_BYTES = 32 * 1024;
/** The source's own time ends it before. */
const TIMEOUT_MS = 30_000;

const pool = new ThreadPool({
  entry: new URL('reader-thread.ts', import.meta.url),
  maxThreads: Math.max(1, Math.min(2, availableParallelism() - 1)),
  // As many as there may be answers in memory, and more.
  maxQueued: 256,
  idleMs: 60_000,
  heapMb: 160,
  youngGenerationMb: 16,
});

/**
 * Reads what a source sent: a small answer here, by `read`; a large one in a thread, by what `readers.ts` has under `reader`, so that
 * nobody else waits for it. `bytes` are what is large in the input; they are gone afterwards. Rejects with what the reading throws.
 */
export async function readInThreadIfLarge<Input, Found>(
  reader: string,
  read: (input: Input) => Found,
  { input, bytes, signal }: { input: Input; bytes: Uint8Array; signal: AbortSignal },
): Promise<Found> {
  if (bytes.byteLength < INLINE_BELOW_BYTES) return read(input);
  const { buffer } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  const limits = { timeoutMs: TIMEOUT_MS, signal, transfer: isWhole ? [buffer] : [] };
  return (await pool.run({ task: reader, input }, limits)) as Found;
}
