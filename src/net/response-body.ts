import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { RequestDeadline } from './request-deadline.ts';
import { NetError } from './net-error.ts';

export interface BodyBounds {
  /** Longest wait for the next bytes; time that the reader takes does not count. */
  idleMs: number;
  /** Body bytes as transferred. */
  maxBytes: number;
  /** Body bytes after a content coding is undone. */
  maxDecodedBytes: number;
}

/** The bytes of `stream` as they come; leaving early destroys the socket. `announced`: Content-Length, where told. */
export async function* receiveBody(
  stream: Readable,
  contentLength: number | null,
  deadline: RequestDeadline,
  { idleMs, maxBytes }: Pick<BodyBounds, 'idleMs' | 'maxBytes'>,
): AsyncGenerator<Uint8Array, void, void> {
  const waitForBytes = () => deadline.startTimeout(idleMs, `no data for ${idleMs} ms`);
  const tooLarge = () => deadline.createError('too_large', `body larger than ${maxBytes} bytes`);
  let received = 0;
  let idle: NodeJS.Timeout | undefined;
  try {
    if (contentLength !== null && contentLength > maxBytes) throw tooLarge();
    idle = waitForBytes();
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      clearTimeout(idle);
      received += chunk.byteLength;
      if (received > maxBytes) throw tooLarge();
      yield chunk;
      idle = waitForBytes();
    }
    // Where only the end of the connection ends a body, one that we ended ourselves looks complete.
    if (deadline.signal.aborted) throw deadline.signal.reason;
  } catch (error) {
    throw deadline.toNetError(error);
  } finally {
    clearTimeout(idle);
    stream.destroy();
    deadline.clear();
  }
}

/**
 * Undoes a content coding (RFC 9110, 8.4): memory stays small however far it expands, and what comes out is bounded.
 * One that is not in `accepted` is `protocol`: it was not asked for. `leave` is called once nothing more is read.
 */
export async function* decodeBody(
  transferred: AsyncIterable<Uint8Array>,
  coding: string,
  deadline: RequestDeadline,
  { maxDecodedBytes, accepted }: { maxDecodedBytes: number; accepted: readonly string[] },
  onDone: () => void,
): AsyncGenerator<Uint8Array, void, void> {
  const createDecoder = accepted.includes(coding) ? DECODERS[coding] : undefined;
  if (createDecoder === undefined) {
    onDone();
    throw deadline.createError('protocol', 'the answer has a content coding that was not asked for');
  }
  const { first, all } = await peekFirstChunk(transferred);
  // Servers label empty bodies too.
  if (first === null) return onDone();
  const decoder = createDecoder(first);
  // A failure of `transferred` reaches the reader as that of the decoder.
  pipeline(all, decoder, () => {});
  let decoded = 0;
  try {
    for await (const chunk of decoder as AsyncIterable<Uint8Array>) {
      decoded += chunk.byteLength;
      if (decoded > maxDecodedBytes)
        throw deadline.createError('too_large', `body unpacks to more than ${maxDecodedBytes} bytes`);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof NetError ? error : deadline.createError('protocol', `broken ${coding} content coding`);
  } finally {
    decoder.destroy();
    onDone();
  }
}

/** The first bytes of a stream, beside all of it; null where there are none. */
async function peekFirstChunk(
  stream: AsyncIterable<Uint8Array>,
): Promise<{ first: Uint8Array | null; all: AsyncIterable<Uint8Array> }> {
  const reading = stream[Symbol.asyncIterator]();
  let read: IteratorResult<Uint8Array>;
  do read = await reading.next();
  while (read.done !== true && read.value.byteLength === 0);
  if (read.done === true) return { first: null, all: stream };
  const first = read.value;
  async function* all(): AsyncGenerator<Uint8Array, void, void> {
    try {
      yield first;
      for (let more = await reading.next(); more.done !== true; more = await reading.next()) yield more.value;
    } finally {
      await reading.return?.();
    }
  }
  return { first, all: all() };
}

/** Decoders by name of coding, made for a body that begins with the bytes given. */
const DECODERS: Readonly<Record<string, (first: Uint8Array) => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  // Said to be zlib's format, but some servers send what is inside alone: the first byte tells (RFC 1950, 2.2).
  deflate: (first) => ((first[0]! & 0x0f) === 8 ? createInflate() : createInflateRaw()),
};
