import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import type { RequestDeadline } from './request-deadline.ts';
import { USER_AGENT } from './user-agent.ts';

export const MAX_HEADER_BYTES = 32 * 1024;
const MAX_HEADER_LINES = 512;
const MAX_INTERIM_RESPONSES = 16;

export interface HttpRequestOptions {
  method?: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'TRACE';
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
}

/** The connection that a request goes over: one of its own, or one of an agent. */
export type HttpConnectionOptions = Pick<
  RequestOptions,
  'agent' | 'createConnection' | 'host' | 'port' | 'maxHeaderSize'
>;

/** A response whose body has not been read yet. */
export interface HttpResponseHead {
  status: number;
  /** Lower-case names with their values in order, each header line apart. */
  headers: ReadonlyMap<string, readonly string[]>;
  stream: IncomingMessage;
  /** Content-Length of the body; null: unknown. */
  contentLength: number | null;
  /** Lower case; empty: none. */
  contentCoding: string;
  /** The error that closed the connection, for a body that ends with the connection; null: none. */
  connectionError: () => Error | null;
}

/**
 * Sends one HTTP/1.1 request (RFC 9112) and resolves with the headers of its response; aborting `deadline` destroys the connection.
 * Rejects with the error of the socket or the parser, which the caller converts to a `NetError`.
 */
export async function startHttpRequest(
  url: URL,
  { method = 'GET', headers, body }: HttpRequestOptions,
  connection: HttpConnectionOptions,
  deadline: RequestDeadline,
): Promise<HttpResponseHead> {
  if (deadline.signal.aborted) throw deadline.signal.reason;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = httpRequest({
    maxHeaderSize: MAX_HEADER_BYTES,
    ...connection,
    method,
    path: url.pathname + url.search,
    headers: {
      host: url.host,
      accept: '*/*',
      'user-agent': USER_AGENT,
      ...headers,
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    },
  });
  let interim = 0;
  let failure: Error | null = null;
  request.on('information', () => {
    if (++interim > MAX_INTERIM_RESPONSES)
      deadline.abort(deadline.createError('protocol', 'too many interim responses'));
  });
  request.on('response', (response) => {
    // Between two reads no other listener is attached; the next read throws the error.
    response.on('error', () => {});
    resolve(response);
  });
  request.on('error', (error) => {
    failure = error;
    reject(error);
  });
  request.on('close', () => reject(deadline.createError('reset', 'closed without a response')));
  deadline.onAbort(() => request.destroy(deadline.signal.reason));
  request.end(body);
  const stream = await Promise.race([promise, deadline.abortRejection]);
  const received = collectHeaders(stream, deadline);
  const length = received.get('content-length')?.[0] ?? '';
  const hasEnd = received.has('content-length') || received.has('transfer-encoding');
  return {
    status: stream.statusCode!,
    headers: received,
    stream,
    contentLength: method !== 'HEAD' && /^\d+$/.test(length) ? Number(length) : null,
    contentCoding: method === 'HEAD' ? '' : codingOf(received),
    connectionError: () => (hasEnd ? null : failure),
  };
}

function collectHeaders({ rawHeaders }: IncomingMessage, deadline: RequestDeadline): Map<string, string[]> {
  if (rawHeaders.length > 2 * MAX_HEADER_LINES) {
    throw deadline.createError('too_large', `more than ${MAX_HEADER_LINES} header lines`);
  }
  const headers = new Map<string, string[]>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    const values = headers.get(name);
    if (values === undefined) headers.set(name, [rawHeaders[i + 1]!]);
    else values.push(rawHeaders[i + 1]!);
  }
  return headers;
}

function codingOf(headers: ReadonlyMap<string, readonly string[]>): string {
  const coding = headers.get('content-encoding')?.join(',').trim().toLowerCase() ?? '';
  return coding === 'identity' ? '' : coding;
}
