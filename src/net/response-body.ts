import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { HttpResponseHead } from './http-request.ts';
import { NetError } from './net-error.ts';
import type { RequestDeadline } from './request-deadline.ts';

export interface BodyBounds {
  /** Longest wait for the next bytes, in milliseconds; the time of the consumer does not count. */
  idleMs: number;
  /** Body bytes as transferred. */
  maxBytes: number;
  /** Body bytes after decoding. */
  maxDecodedBytes: number;
}

/** The body as transferred. Stopping early destroys the socket. Throws `NetError`. */
export async function* receiveBody(
  { stream, contentLength, connectionError }: HttpResponseHead,
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
    // A body that ends with the connection looks complete even after a reset, or after we closed the connection.
    if (deadline.signal.aborted) throw deadline.signal.reason;
    const error = connectionError();
    if (error !== null) throw error;
  } catch (error) {
    throw deadline.toNetError(deadline.signal.aborted ? deadline.signal.reason : error);
  } finally {
    clearTimeout(idle);
    stream.destroy();
    deadline.stopTotalTimeout();
  }
}

/**
 * Decodes a content coding (RFC 9110, 8.4) as a stream, up to `maxDecodedBytes`. Throws `NetError`, `protocol` for a coding that is not
 * in `accepted`.
 */
export async function* decodeBody(
  transferred: AsyncIterable<Uint8Array>,
  { stream, contentCoding }: HttpResponseHead,
  deadline: RequestDeadline,
  { maxDecodedBytes, accepted }: { maxDecodedBytes: number; accepted: readonly string[] },
): AsyncGenerator<Uint8Array, void, void> {
  if (contentCoding === '') return yield* transferred;
  const createDecoder = accepted.includes(contentCoding) ? DECODERS[contentCoding] : undefined;
  if (createDecoder === undefined) {
    stream.destroy();
    deadline.stopTotalTimeout();
    throw deadline.createError('protocol', 'the response has a content coding that was not requested');
  }
  const { first, replayed } = await peekFirstChunk(transferred);
  // Servers send the header also with empty bodies.
  if (first === null) return;
  const decoder = createDecoder(first);
  // An error of `transferred` becomes an error of the decoder.
  pipeline(replayed, decoder, () => {});
  let decoded = 0;
  try {
    for await (const chunk of decoder as AsyncIterable<Uint8Array>) {
      decoded += chunk.byteLength;
      if (decoded > maxDecodedBytes)
        throw deadline.createError('too_large', `body unpacks to more than ${maxDecodedBytes} bytes`);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof NetError
      ? error
      : deadline.createError('protocol', `broken ${contentCoding} content coding`);
  } finally {
    decoder.destroy();
    stream.destroy();
    deadline.stopTotalTimeout();
  }
}

/** The first bytes of a stream (null: empty), and an equal stream from the start. */
async function peekFirstChunk(
  stream: AsyncIterable<Uint8Array>,
): Promise<{ first: Uint8Array | null; replayed: AsyncIterable<Uint8Array> }> {
  const reading = stream[Symbol.asyncIterator]();
  let read: IteratorResult<Uint8Array>;
  do read = await reading.next();
  while (read.done !== true && read.value.byteLength === 0);
  if (read.done === true) return { first: null, replayed: stream };
  const first = read.value;
  async function* replay(): AsyncGenerator<Uint8Array, void, void> {
    try {
      yield first;
      for (let more = await reading.next(); more.done !== true; more = await reading.next()) yield more.value;
    } finally {
      await reading.return?.();
    }
  }
  return { first, replayed: replay() };
}

/** Decoders by the name of the coding; `first`: the first bytes of the body. */
const DECODERS: Readonly<Record<string, (first: Uint8Array) => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  // `deflate` means the zlib format (RFC 9110), but some servers send raw deflate; the first byte shows which (RFC 1950, 2.2).
  deflate: (first) => ((first[0]! & 0x0f) === 8 ? createInflate() : createInflateRaw()),
};
