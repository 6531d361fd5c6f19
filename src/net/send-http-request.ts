import type { Duplex } from 'node:stream';
import { createEventLoopYielder } from '../event-loop-yielder.ts';
import type { FetchOptions, FetchResponse } from './fetch-types.ts';
import { type HttpResponseHead, startHttpRequest } from './http-request.ts';
import { basicAuthorization, hasCredentials, isBadPort, isHttpUrl, portOf } from './http-url.ts';
import type { RequestDeadline } from './request-deadline.ts';
import { decodeBody, receiveBody } from './response-body.ts';

const ACCEPTED_CODINGS = ['gzip', 'deflate', 'br'];
const DECODABLE_CODINGS = [...ACCEPTED_CODINGS, 'x-gzip'];

/** Throws `protocol` for a URL that is not http(s), has credentials, or a port that no web server has. */
export function requireAllowedUrl(url: URL, trusted: boolean, deadline: RequestDeadline): void {
  const createError = (why: string) => deadline.createError('protocol', why);
  if (!isHttpUrl(url)) throw createError('only http: and https: URLs can be fetched');
  if (trusted) return;
  if (hasCredentials(url)) throw createError('a URL with credentials in it is not fetched');
  if (isBadPort(portOf(url))) throw createError('the port belongs to another service');
}

/**
 * One request over a connection from the connector, which is closed afterwards: no data of one call can reach another. Throws
 * `NetError`.
 */
export async function sendHttpRequest(
  connection: Duplex,
  url: URL,
  options: FetchOptions,
  deadline: RequestDeadline,
): Promise<Omit<FetchResponse, 'address' | 'latencyMs'> & { respondedAt: number }> {
  const { method, body: sent, trusted = false } = options;
  const authorization = trusted ? basicAuthorization(url) : null;
  const headers = {
    'accept-encoding': ACCEPTED_CODINGS.join(', '),
    ...(authorization === null ? {} : { authorization }),
    ...options.headers,
  };
  try {
    const request = { headers, body: sent, ...(method && { method }) };
    const head = await startHttpRequest(url, request, { createConnection: () => connection }, deadline);
    const respondedAt = performance.now();
    const { body, truncated } = await readBody(head, options, deadline);
    return { status: head.status, headers: head.headers, body, truncated, respondedAt };
  } catch (error) {
    throw deadline.toNetError(error);
  } finally {
    connection.destroy();
  }
}

async function readBody(
  head: HttpResponseHead,
  { maxBytes, truncate: cut = false, timeoutMs, claim }: FetchOptions,
  deadline: RequestDeadline,
): Promise<{ body: Uint8Array; truncated: boolean }> {
  const limits = { idleMs: timeoutMs, maxBytes: cut ? Number.POSITIVE_INFINITY : maxBytes };
  let truncated = false;
  const limit = (stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> =>
    cut ? truncateStream(maxBytes, stream, () => (truncated = true)) : stream;
  const decoding = { maxDecodedBytes: limits.maxBytes, accepted: DECODABLE_CODINGS };
  const decoded = decodeBody(limit(receiveBody(head, deadline, limits)), head, deadline, decoding);
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of limit(decoded)) {
      await claim?.add(chunk.byteLength, deadline);
      chunks.push(chunk);
    }
  } catch (error) {
    // A truncated body may not decode to its end.
    if (!truncated) throw error;
  }
  return { body: await joinChunks(chunks), truncated };
}

/** The chunks as one. Others have turns meanwhile: the first writes to so much new memory take as long as the copying. */
async function joinChunks(chunks: readonly Uint8Array[]): Promise<Uint8Array> {
  const joined = Buffer.allocUnsafeSlow(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0));
  const pause = createEventLoopYielder();
  let filled = 0;
  for (const chunk of chunks) {
    joined.set(chunk, filled);
    filled += chunk.byteLength;
    await pause();
  }
  return joined;
}

/** The first `maxBytes` of a stream; calls `onCut` if there are more. */
async function* truncateStream(
  maxBytes: number,
  stream: AsyncIterable<Uint8Array>,
  onCut: () => void,
): AsyncGenerator<Uint8Array, void, void> {
  let left = maxBytes;
  for await (const chunk of stream) {
    if (chunk.byteLength > left) {
      onCut();
      yield chunk.subarray(0, left);
      return;
    }
    left -= chunk.byteLength;
    yield chunk;
  }
}
