import { request as httpRequest, type IncomingMessage } from 'node:http';
import { unescape } from 'node:querystring';
import type { Duplex } from 'node:stream';
import { decodeBody, receiveBody } from './response-body.ts';
import type { RequestDeadline } from './request-deadline.ts';
import type { FetchResponse, FetchOptions } from './fetch-types.ts';
import { isBadPort, portOf } from './port.ts';
import { userAgent } from './user-agent.ts';

const MAX_HEADER_BYTES = 32 * 1024;
const MAX_HEADER_LINES = 512;
const MAX_INTERIM_RESPONSES = 16;
/** Offered, and undone. */
const ACCEPTED_CODINGS = ['gzip', 'deflate', 'br'];
const DECODABLE_CODINGS = [...ACCEPTED_CODINGS, 'x-gzip'];

/** Throws `protocol` for what is not http(s), has a login in it, or a port that no web server has. */
export function checkUrl(url: URL, trusted: boolean, deadline: RequestDeadline): void {
  const refuse = (why: string) => deadline.createError('protocol', why);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refuse('only http: and https: addresses can be asked');
  if (trusted) return;
  if (url.username !== '' || url.password !== '') throw refuse('an address with a login in it is not asked');
  if (isBadPort(portOf(url))) throw refuse('the port is one of another service');
}

/**
 * One request over a connection of its own, made before by whoever vetted the address: HTTP/1.1, closed afterwards, so that nothing
 * of one exchange reaches another. Throws `NetError`.
 */
export async function sendHttpRequest(
  connection: Duplex,
  url: URL,
  options: FetchOptions,
  deadline: RequestDeadline,
): Promise<Omit<FetchResponse, 'address' | 'latencyMs'> & { answeredAt: number }> {
  try {
    const { response, connectionError } = await Promise.race([
      startHttpRequest(connection, url, options, deadline),
      deadline.abortRejection,
    ]);
    const answeredAt = performance.now();
    const headers = collectHeaders(response, deadline);
    const { body, truncated } = await readBody(response, headers, options, deadline);
    // A body that only the end of the connection ends looks complete after a reset too.
    if (!truncated && !hasBodyDelimiter(headers) && connectionError() !== null) throw connectionError();
    return { status: response.statusCode!, headers, body, truncated, answeredAt };
  } catch (error) {
    throw deadline.toNetError(error);
  } finally {
    connection.destroy();
  }
}

interface StartedResponse {
  response: IncomingMessage;
  /** What the connection failed with since. */
  connectionError: () => Error | null;
}

function startHttpRequest(
  connection: Duplex,
  url: URL,
  options: FetchOptions,
  deadline: RequestDeadline,
): Promise<StartedResponse> {
  const { method = 'GET', headers = {}, body, trusted = false } = options;
  const { promise, resolve, reject } = Promise.withResolvers<StartedResponse>();
  const request = httpRequest({
    createConnection: () => connection,
    method,
    path: url.pathname + url.search,
    headers: {
      host: url.host,
      accept: '*/*',
      'accept-encoding': ACCEPTED_CODINGS.join(', '),
      'user-agent': userAgent(),
      ...(trusted ? basicAuthHeaders(url) : {}),
      ...headers,
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    },
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  let interim = 0;
  let failure: Error | null = null;
  request.on('information', () => {
    if (++interim > MAX_INTERIM_RESPONSES) deadline.abort(deadline.createError('protocol', 'too many interim answers'));
  });
  request.on('response', (response) => {
    // Nobody listens between two reads: the reader sees a failure at its next one.
    response.on('error', () => {});
    resolve({ response, connectionError: () => failure });
  });
  request.on('error', (error) => {
    failure = error;
    reject(error);
  });
  request.on('close', () => reject(deadline.createError('reset', 'closed without an answer')));
  deadline.onAbort(() => request.destroy(deadline.signal.reason));
  request.end(body);
  return promise;
}

function hasBodyDelimiter(headers: ReadonlyMap<string, unknown>): boolean {
  return headers.has('content-length') || headers.has('transfer-encoding');
}

function collectHeaders(response: IncomingMessage, deadline: RequestDeadline): Map<string, string[]> {
  const raw = response.rawHeaders;
  if (raw.length > 2 * MAX_HEADER_LINES) {
    throw deadline.createError('too_large', `more than ${MAX_HEADER_LINES} header lines`);
  }
  const headers = new Map<string, string[]>();
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase();
    const values = headers.get(name);
    if (values === undefined) headers.set(name, [raw[i + 1]!]);
    else values.push(raw[i + 1]!);
  }
  return headers;
}

async function readBody(
  response: IncomingMessage,
  headers: ReadonlyMap<string, readonly string[]>,
  { method, maxBytes, cut = false, timeoutMs, claim }: FetchOptions,
  deadline: RequestDeadline,
): Promise<{ body: Uint8Array; truncated: boolean }> {
  const bounds = { idleMs: timeoutMs, maxBytes: cut ? Number.POSITIVE_INFINITY : maxBytes };
  const length = headers.get('content-length')?.[0] ?? '';
  const announced = method !== 'HEAD' && /^\d+$/.test(length) ? Number(length) : null;
  const coding = method === 'HEAD' ? '' : (headers.get('content-encoding')?.join(',').trim().toLowerCase() ?? '');
  let truncated = false;
  const bounded = (stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> =>
    cut ? truncateStream(maxBytes, stream, () => (truncated = true)) : stream;
  const transferred = bounded(receiveBody(response, announced, deadline, bounds));
  const decoding = { maxDecodedBytes: bounds.maxBytes, accepted: DECODABLE_CODINGS };
  const plain = coding === '' || coding === 'identity';
  const decoded = plain ? transferred : decodeBody(transferred, coding, deadline, decoding, () => response.destroy());
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of bounded(decoded)) {
      await claim?.add(chunk.byteLength, deadline);
      chunks.push(chunk);
    }
  } catch (error) {
    // What was cut on the way may not unpack to its end.
    if (!truncated) throw error;
  }
  return { body: Buffer.concat(chunks), truncated };
}

/** The first `maxBytes` of a stream; `onCut` where there were more. */
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

function basicAuthHeaders({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${unescape(username)}:${unescape(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
