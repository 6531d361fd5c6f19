import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Exchange } from './exchange.ts';
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
export async function* transferredBody(
  stream: Readable,
  announced: number | null,
  exchange: Exchange,
  { idleMs, maxBytes }: BodyBounds,
): AsyncGenerator<Uint8Array, void, void> {
  const waitForBytes = () => exchange.limit(idleMs, `no data for ${idleMs} ms`);
  const tooLarge = () => exchange.error('too_large', `body larger than ${maxBytes} bytes`);
  let received = 0;
  let idle: NodeJS.Timeout | undefined;
  try {
    if (announced !== null && announced > maxBytes) throw tooLarge();
    idle = waitForBytes();
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      clearTimeout(idle);
      received += chunk.byteLength;
      if (received > maxBytes) throw tooLarge();
      yield chunk;
      idle = waitForBytes();
    }
  } catch (error) {
    throw exchange.failure(error);
  } finally {
    clearTimeout(idle);
    stream.destroy();
    exchange.finish();
  }
}

/**
 * Undoes a gzip content coding: memory stays small however far it expands, and what comes out is bounded.
 * Any other coding is `protocol`: none was asked for. `leave` is called once nothing more is read.
 */
export async function* decodedBody(
  transferred: AsyncIterable<Uint8Array>,
  coding: string,
  exchange: Exchange,
  { maxDecodedBytes }: BodyBounds,
  leave: () => void,
): AsyncGenerator<Uint8Array, void, void> {
  if (coding !== 'gzip' && coding !== 'x-gzip') {
    leave();
    throw exchange.error('protocol', 'the answer has a content coding that was not asked for');
  }
  const gunzip = createGunzip();
  // A failure of `transferred` reaches the reader as that of `gunzip`.
  pipeline(transferred, gunzip, () => {});
  let decoded = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
      decoded += chunk.byteLength;
      if (decoded > maxDecodedBytes)
        throw exchange.error('too_large', `body unpacks to more than ${maxDecodedBytes} bytes`);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof NetError ? error : exchange.error('protocol', 'broken gzip content coding');
  } finally {
    gunzip.destroy();
    leave();
  }
}
