import type { ConnectionPool } from './connection-pool.ts';
import { type HttpResponseHead, startHttpRequest } from './http-request.ts';
import { basicAuthorization, isHttpUrl } from './http-url.ts';
import { NetError } from './net-error.ts';
import { headersForAnotherOrigin, isRedirect, redirectLocation, strictRedirectTarget } from './redirect.ts';
import { RequestDeadline } from './request-deadline.ts';
import { type BodyBounds, decodeBody, receiveBody } from './response-body.ts';

/** Limits of connecting belong to the connection pool. Times in milliseconds. */
export interface HttpBounds extends BodyBounds {
  /** From sending a request, connecting included, to the headers of its response; for each hop. */
  headersMs: number;
  /** From the first request to the last byte. */
  totalMs: number;
  maxRedirects: number;
}

export const DEFAULT_BOUNDS: Readonly<HttpBounds> = {
  headersMs: 30_000,
  idleMs: 30_000,
  totalMs: 15 * 60_000,
  maxBytes: 16 * 1024 * 1024,
  maxDecodedBytes: 16 * 1024 * 1024,
  maxRedirects: 5,
};

/** Not requested, but many servers label files so. */
const TOLERATED_CODINGS = ['gzip', 'x-gzip'];

export interface HttpOptions {
  /** Whose connections are used: it decides which addresses may be reached. */
  pool: ConnectionPool;
  /** Lower-case names. A redirect to another origin gets only harmless headers, no key, token or cookie. */
  headers?: Readonly<Record<string, string>>;
  bounds?: Partial<HttpBounds>;
  /** Does not decode a content coding: for compressed files, which many servers label as encoded. */
  raw?: boolean;
  /** Start of `totalMs` (`performance.now()`), for requests that share it. Default: now. */
  startedAt?: number;
  signal?: AbortSignal | undefined;
}

export interface HttpResponse {
  status: number;
  /** Lower-case names; repeated ones joined by `, ` (RFC 9110, 5.3). */
  headers: ReadonlyMap<string, string>;
  /** The URL that responded after redirects, without credentials and fragment. */
  url: string;
  /** `body` is not decoded, so that byte positions in it are valid for range requests. */
  verbatim: boolean;
  /** Bytes in `body`; null: unknown. */
  bodyLength: number | null;
  /** Can be read once; throws `NetError`. Stopping early destroys the socket. */
  body: AsyncIterable<Uint8Array>;
  /** Closes the connection without reading the body. */
  discard(): void;
}

/**
 * GETs an http(s) URL as a stream, following redirects. Resolves for every status; throws `NetError` without a response.
 * Credentials in the URL become Basic authorization. The body must be read or discarded.
 */
export async function httpGet(address: string | URL, options: HttpOptions): Promise<HttpResponse> {
  const bounds: HttpBounds = { ...DEFAULT_BOUNDS, ...options.bounds };
  let { url, authHeaders } = splitCredentials(address);
  let headers: Record<string, string> = { 'accept-encoding': 'identity', ...authHeaders, ...options.headers };
  const { totalMs } = bounds;
  const deadline = new RequestDeadline(url.host, totalMs, options.startedAt ?? performance.now(), options.signal);
  try {
    for (let hops = 0; ; hops++) {
      const head = await requestOnce(url, headers, bounds.headersMs, deadline, options.pool);
      if (!isRedirect(head.status)) return toHttpResponse(head, url, deadline, bounds, options.raw ?? false);
      head.stream.destroy();
      if (hops >= bounds.maxRedirects) {
        throw deadline.createError('too_many_redirects', `more than ${bounds.maxRedirects} redirects`);
      }
      const next = strictRedirectTarget(url, redirectLocation(head));
      if (next.origin !== url.origin) headers = headersForAnotherOrigin(headers);
      url = next;
      deadline.host = url.host;
    }
  } catch (error) {
    deadline.stopTotalTimeout();
    throw deadline.toNetError(error);
  }
}

/** The whole body; throws `too_large` if it is longer than `maxBytes`. */
export async function readBytes(response: HttpResponse, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let received = 0;
  for await (const chunk of response.body) {
    received += chunk.byteLength;
    if (received > maxBytes)
      throw new NetError('too_large', `${new URL(response.url).host}: body larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The whole body as text (UTF-8); throws `too_large` if it is longer than `maxBytes`. */
export async function readText(response: HttpResponse, maxBytes: number): Promise<string> {
  return new TextDecoder().decode(await readBytes(response, maxBytes));
}

async function requestOnce(
  url: URL,
  headers: Record<string, string>,
  headersMs: number,
  deadline: RequestDeadline,
  pool: ConnectionPool,
): Promise<HttpResponseHead> {
  const waiting = deadline.startTimeout(headersMs, `no answer within ${headersMs} ms`);
  try {
    return await startHttpRequest(url, { headers }, pool.optionsFor(url), deadline);
  } finally {
    clearTimeout(waiting);
  }
}

function toHttpResponse(
  head: HttpResponseHead,
  url: URL,
  deadline: RequestDeadline,
  bounds: HttpBounds,
  raw: boolean,
): HttpResponse {
  const verbatim = raw || head.contentCoding === '';
  const transferred = receiveBody(head, deadline, bounds);
  return {
    status: head.status,
    headers: new Map([...head.headers].map(([name, values]) => [name, values.join(', ')])),
    url: url.href,
    verbatim,
    bodyLength: verbatim ? head.contentLength : null,
    body: verbatim ? transferred : decodeBody(transferred, head, deadline, { ...bounds, accepted: TOLERATED_CODINGS }),
    discard() {
      head.stream.destroy();
      deadline.stopTotalTimeout();
    },
  };
}

function splitCredentials(address: string | URL): { url: URL; authHeaders: Record<string, string> } {
  const url = URL.parse(String(address));
  if (url === null || !isHttpUrl(url)) throw new NetError('protocol', 'only http: and https: URLs can be fetched');
  const authorization = basicAuthorization(url);
  url.username = url.password = url.hash = '';
  return { url, authHeaders: authorization === null ? {} : { authorization } };
}
