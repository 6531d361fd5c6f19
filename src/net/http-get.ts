import { unescape } from 'node:querystring';
import type { Dispatcher } from 'undici';
import { type BodyBounds, decodeBody, receiveBody } from './response-body.ts';
import { sharedDispatcher } from './dispatcher.ts';
import { RequestDeadline } from './request-deadline.ts';
import { NetError } from './net-error.ts';
import { headersForAnotherOrigin, isRedirect, strictRedirectTarget } from './redirect.ts';
import { userAgent } from './user-agent.ts';

/** Bounds of connecting and of header size belong to the dispatcher: `ConnectionBounds`. */
export interface HttpBounds extends BodyBounds {
  /** From sending a request, connecting included, to the headers of its answer; for each hop. */
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

/** Not asked for, but files are often labelled so. */
const TOLERATED_CODINGS = ['gzip', 'x-gzip'];

export interface HttpOptions {
  /** Lower-case names. At a redirect to another origin only harmless ones follow: no key, token or cookie does. */
  headers?: Readonly<Record<string, string>>;
  userAgent?: string | undefined;
  bounds?: Partial<HttpBounds>;
  /** Leave a content coding as it is: for files that are packed themselves, which servers like to label as encoded. */
  raw?: boolean;
  /** When the clock of `totalMs` started (`performance.now()`), for one of several requests under one clock. */
  startedAt?: number;
  signal?: AbortSignal | undefined;
  dispatcher?: Dispatcher | undefined;
}

export interface HttpResponse {
  status: number;
  /** Lower-case names; repeated ones joined by `, ` (RFC 9110, 5.3). */
  headers: ReadonlyMap<string, string>;
  /** Where the answer came from after redirects, without login and fragment. */
  url: string;
  /** True where `body` is exactly what was transferred, so that positions in it mean the same to the server. */
  verbatim: boolean;
  /** Bytes in `body`, where the server told. */
  bodyLength: number | null;
  /** To be read once; throws `NetError`. Stopping early destroys the socket. */
  body: AsyncIterable<Uint8Array>;
  /** For who does not read the body. */
  discard(): void;
}

/**
 * GETs an http(s) address, following redirects. Every status is an answer; only what keeps one from coming throws, as `NetError`.
 * A login in the address becomes Basic authorization. The body must be read or discarded.
 */
export async function httpGet(address: string | URL, options: HttpOptions = {}): Promise<HttpResponse> {
  const bounds: HttpBounds = { ...DEFAULT_BOUNDS, ...options.bounds };
  const dispatcher = options.dispatcher ?? sharedDispatcher();
  let { url, login } = splitCredentials(address);
  let headers: Record<string, string> = {
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': options.userAgent ?? userAgent(),
    ...login,
    ...options.headers,
  };
  const deadline = new RequestDeadline(
    url.host,
    bounds.totalMs,
    options.startedAt ?? performance.now(),
    options.signal,
  );
  try {
    for (let hops = 0; ; hops++) {
      const response = await requestOnce(url, headers, bounds.headersMs, deadline, dispatcher);
      const answered = joinHeaderValues(response.headers);
      if (!isRedirect(response.statusCode)) {
        return toHttpResponse(response, answered, url, deadline, bounds, options.raw ?? false);
      }
      response.body.destroy();
      if (hops >= bounds.maxRedirects) {
        throw deadline.createError('too_many_redirects', `more than ${bounds.maxRedirects} redirects`);
      }
      const next = strictRedirectTarget(url, answered.get('location'));
      if (next.origin !== url.origin) headers = headersForAnotherOrigin(headers);
      url = next;
      deadline.host = url.host;
    }
  } catch (error) {
    deadline.clear();
    throw deadline.toNetError(error);
  }
}

/** The whole body, or `too_large` once `maxBytes` are passed. */
export async function readBytes(answer: HttpResponse, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let received = 0;
  for await (const chunk of answer.body) {
    received += chunk.byteLength;
    if (received > maxBytes)
      throw new NetError('too_large', `${responseHost(answer)}: body larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The whole body as text (UTF-8); throws `too_large` past `maxBytes`. */
export async function readText(answer: HttpResponse, maxBytes: number): Promise<string> {
  return new TextDecoder().decode(await readBytes(answer, maxBytes));
}

/** The whole body as JSON (UTF-8); throws `too_large` past `maxBytes`, `protocol` where it is not JSON. */
export async function readJson(answer: HttpResponse, maxBytes: number): Promise<unknown> {
  const text = await readText(answer, maxBytes);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new NetError('protocol', `${responseHost(answer)}: the answer is not JSON`);
  }
}

async function requestOnce(
  url: URL,
  headers: Record<string, string>,
  headersMs: number,
  deadline: RequestDeadline,
  dispatcher: Dispatcher,
): Promise<Dispatcher.ResponseData> {
  const waiting = deadline.startTimeout(headersMs, `no answer within ${headersMs} ms`);
  try {
    const request = dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers,
      signal: deadline.signal,
      // Our own clocks are exact, say what ran out, and hold over any dispatcher.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    // undici hears of an abort only once the request has a connection.
    const response = await Promise.race([request, deadline.abortRejection]);
    // Nobody listens between two reads: the reader sees a failure at its next one.
    response.body.on('error', () => {});
    return response;
  } finally {
    clearTimeout(waiting);
  }
}

function toHttpResponse(
  response: Dispatcher.ResponseData,
  headers: ReadonlyMap<string, string>,
  url: URL,
  deadline: RequestDeadline,
  bounds: HttpBounds,
  raw: boolean,
): HttpResponse {
  const discard = () => {
    response.body.destroy();
    deadline.clear();
  };
  const answer = { status: response.statusCode, headers, url: url.href, discard };
  const length = contentLength(headers);
  const transferred = receiveBody(response.body, length, deadline, bounds);
  const coding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (raw || coding === '' || coding === 'identity')
    return { ...answer, verbatim: true, bodyLength: length, body: transferred };
  const body = decodeBody(transferred, coding, deadline, { ...bounds, accepted: TOLERATED_CODINGS }, discard);
  return { ...answer, verbatim: false, bodyLength: null, body };
}

function splitCredentials(address: string | URL): { url: URL; login: Record<string, string> } {
  const url = URL.parse(String(address));
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new NetError('protocol', 'only http: and https: addresses can be asked');
  }
  const { username, password } = url;
  url.username = url.password = url.hash = '';
  if (!username && !password) return { url, login: {} };
  const pair = `${unescape(username)}:${unescape(password)}`;
  return { url, login: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } };
}

function joinHeaderValues(headers: Dispatcher.ResponseData['headers']): ReadonlyMap<string, string> {
  const flat = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return flat;
}

function contentLength(headers: ReadonlyMap<string, string>): number | null {
  const length = headers.get('content-length');
  return length !== undefined && /^\d+$/.test(length) ? Number(length) : null;
}

function responseHost(answer: HttpResponse): string {
  return new URL(answer.url).host;
}
