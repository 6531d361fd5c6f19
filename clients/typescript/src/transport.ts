import { ApiError, ConnectionError, isErrorBody, TimeoutError, UnexpectedResponseError } from './errors.ts';
import type { CallOptions, ClientOptions, ResponseInfo } from './options.ts';
import { parseRetryAfter, pause, retryWaitMs, withTimeout } from './retry.ts';

const DEFAULT_TIMEOUT_MS = 90_000;
const DEFAULT_MAX_RETRIES = 2;
const DEFAULT_MAX_RETRY_WAIT_MS = 60_000;

/** A request before it is sent. `path`: with its query, without the base URL; `body`: JSON text. */
export interface PreparedRequest {
  operation: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body: string | null;
}

interface Received {
  status: number;
  body: unknown;
  info: ResponseInfo;
}

/** Sends requests: with credentials, in time, again where the service asks for it. */
export class Transport {
  readonly #base: string;
  readonly #options: ClientOptions;
  readonly #headers: Readonly<Record<string, string>>;

  /** Throws a TypeError for options that cannot work. `product`: name and version of the client. */
  constructor(options: ClientOptions, product: string) {
    const { apiKey, accessToken, userAgent } = options;
    if (apiKey !== undefined && accessToken !== undefined)
      throw new TypeError('Give an apiKey or an accessToken, not both.');
    this.#options = options;
    this.#base = parseBaseUrl(options.baseUrl);
    this.#headers = {
      accept: 'application/json',
      ...(canNameItself() && { 'user-agent': userAgent === undefined ? product : `${userAgent} ${product}` }),
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    };
  }

  /**
   * The body of the answer. Throws `ApiError` for errors of the service, `TimeoutError`, `ConnectionError`, `UnexpectedResponseError`,
   * and the reason of a signal that was aborted.
   */
  async send(request: PreparedRequest, callOptions: CallOptions): Promise<unknown> {
    const {
      signal,
      timeoutMs = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      maxRetries = this.#options.maxRetries ?? DEFAULT_MAX_RETRIES,
      maxRetryWaitMs = this.#options.maxRetryWaitMs ?? DEFAULT_MAX_RETRY_WAIT_MS,
      onResponse = this.#options.onResponse,
    } = callOptions;
    const timeoutError = (): Error =>
      new TimeoutError(request.operation, `${request.operation}: no whole response within ${timeoutMs} ms.`);
    for (let attempt = 0; ; attempt += 1) {
      const { status, body, info } = await withTimeout(timeoutMs, signal, timeoutError, (attemptSignal) =>
        this.#attempt(request, attemptSignal),
      );
      onResponse?.(info);
      if (status === 200) return body;
      const waitMs = retryWaitMs(status, info.retryAfterSeconds, attempt, { maxRetries, maxRetryWaitMs });
      if (waitMs === null) throw errorOf(request, status, body, info);
      await pause(waitMs, signal);
    }
  }

  async #attempt({ operation, method, path, body }: PreparedRequest, signal: AbortSignal): Promise<Received> {
    const { fetch = globalThis.fetch, accessToken } = this.#options;
    const token = typeof accessToken === 'function' ? await accessToken() : accessToken;
    const headers = {
      ...this.#headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== null && { 'content-type': 'application/json' }),
    };
    // The service redirects no call. Another server may: the key is not taken there.
    const init = { method, headers, body, signal, redirect: 'error', credentials: 'omit' } as const;
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${this.#base}${path}`, init);
      text = await response.text();
    } catch (error) {
      throw new ConnectionError(operation, `${operation}: no response from ${this.#base}.`, { cause: error });
    }
    const parsed = parseJson(text);
    return { status: response.status, body: parsed, info: infoOf(operation, response, parsed) };
  }
}

function errorOf(request: PreparedRequest, status: number, body: unknown, info: ResponseInfo): Error {
  const { operation } = request;
  if (isErrorBody(body)) return new ApiError(operation, status, body, info.retryAfterSeconds);
  return new UnexpectedResponseError(
    operation,
    status,
    `${operation}: status ${status} without the service's error body: is this a Sextant, and nothing in between?`,
  );
}

/** Undefined: it is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function infoOf(operation: string, { status, headers }: Response, body: unknown): ResponseInfo {
  const number = (name: string): number | null => {
    const value = headers.get(name);
    return value === null || !/^\d+$/.test(value) ? null : Number(value);
  };
  const limit = number('x-ratelimit-limit');
  const remaining = number('x-ratelimit-remaining');
  const resetSeconds = number('x-ratelimit-reset');
  return {
    operation,
    status,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds:
      parseRetryAfter(headers.get('retry-after'), Date.now()) ??
      // A proxy may hide the header from pages of other origins; the body says the same.
      (isErrorBody(body) ? (body.error.retry_after_seconds ?? null) : null),
    cost: number('x-ratelimit-cost'),
    tier: headers.get('x-ratelimit-tier'),
    quota: limit === null || remaining === null || resetSeconds === null ? null : { limit, remaining, resetSeconds },
  };
}

/** Without the final slash. Throws a TypeError where it is no URL of a web server. */
function parseBaseUrl(given: string | URL): string {
  const url = new URL(given);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError(`baseUrl must begin with http:// or https://, not ${url.protocol}`);
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    throw new TypeError('baseUrl must have no query, fragment, name or password.');
  return url.href.replace(/\/+$/, '');
}

/** Browsers name themselves: to set `User-Agent` there is refused, or costs each call another request (CORS preflight). */
function canNameItself(): boolean {
  const { process, Deno, Bun } = globalThis as { process?: { versions?: object }; Deno?: unknown; Bun?: unknown };
  return process?.versions !== undefined || Deno !== undefined || Bun !== undefined;
}
