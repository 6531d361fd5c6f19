export interface ClientOptions {
  /** Where the service is: `http://127.0.0.1:8080`; a path is kept: `https://example.com/sextant`. */
  baseUrl: string | URL;
  /** An API key; without one the caller is counted by its address. */
  apiKey?: string | undefined;
  /** An access token of the authorization server that the installation trusts; a function is asked for each attempt. */
  accessToken?: string | (() => string | Promise<string>) | undefined;
  /** The longest time of one attempt, with its body, in milliseconds; default 90 s, which no operation reaches. */
  timeoutMs?: number | undefined;
  /** Further attempts after 429 and 503; default 2. 0: none. */
  maxRetries?: number | undefined;
  /** A longer wait before an attempt is not begun, in milliseconds; default 60 s. */
  maxRetryWaitMs?: number | undefined;
  /** Named before this client in `User-Agent`, where the program is not a browser: `my-program/1.0`. */
  userAgent?: string | undefined;
  /** Default: the `fetch` of the platform. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Told of every response, also of those that are tried again. */
  onResponse?: ((info: ResponseInfo) => void) | undefined;
}

/** Of one call; what is not given is as for the client. */
export interface CallOptions {
  /** Cancels the call, its waits, and the paging that it belongs to. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  maxRetryWaitMs?: number | undefined;
  onResponse?: ((info: ResponseInfo) => void) | undefined;
}

/** What the headers of a response say beside its body. */
export interface ResponseInfo {
  operation: string;
  status: number;
  /** Names the request in the log of the service. */
  requestId: string | null;
  retryAfterSeconds: number | null;
  /** Tokens that the call cost; null: the response does not say. */
  cost: number | null;
  /** `keyless` or `pro`. */
  tier: string | null;
  /** The caller's quota; null: there is no limit, or the response does not say. */
  quota: { limit: number; remaining: number; resetSeconds: number } | null;
}
