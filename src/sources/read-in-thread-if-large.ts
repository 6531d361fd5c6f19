import { availableParallelism } from 'node:os';
import { entryModuleUrl } from '../program-files.ts';
import { ThreadPool } from '../threads/thread-pool.ts';

/** Reading a smaller response does not delay other requests. */
const INLINE_BELOW_BYTES = 32 * 1024;
/** Longer than the time limit of any source, which ends the task first. */
const TIMEOUT_MS = 30_000;

const readerPool = new ThreadPool({
  entry: entryModuleUrl('sources/reader-thread.ts'),
  maxThreads: Math.max(1, Math.min(2, availableParallelism() - 1)),
  // More than the number of responses that can be in memory at once.
  maxQueued: 256,
  idleMs: 60_000,
  heapMb: 160,
  youngGenerationMb: 16,
});

/**
 * Reads a response body: a small one here, by `read`; a large one in a worker thread, by the same function that `readers.ts` has under
 * `reader`. `bytes`: the large part of the input, transferred and unusable afterwards. Rejects with what the reader throws.
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
  return (await readerPool.run({ task: reader, input }, limits)) as Found;
}
