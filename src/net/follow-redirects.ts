import { RedirectCookieJar } from './redirect-cookie-jar.ts';
import type { FetchResponse, FetchOptions } from './fetch-types.ts';
import type { NetworkClient } from './network-client.ts';
import { hasCredentials, isHttpUrl } from './http-url.ts';
import { NetError } from './net-error.ts';
import { headersForAnotherOrigin, redirectLocation } from './redirect.ts';

const MAX_URL_LENGTH = 4096;

export interface FollowRedirectsOptions extends Omit<FetchOptions, 'method' | 'body'> {
  /** Redirects that are followed. Default: 10. */
  maxHops?: number;
  /** Awaited before each request, also the first; an error that it throws ends the chain and is passed on. */
  onHop?: (url: URL) => Promise<void> | void;
  /** Called for each hop that responded. */
  onResponse?: (hop: RedirectHop) => void;
}

export interface RedirectHop {
  url: string;
  status: number;
  /** As the server sent it, with bytes beyond ASCII percent-encoded. */
  location: string | null;
  latencyMs: number;
}

/**
 * Why following redirects ended at a response that is a redirect:
 * - `loop`: a URL was requested before with the same cookies
 * - `too_many`: more redirects than `maxHops`
 * - `scheme`: a redirect to a URL that is not http(s)
 * - `malformed`: a Location that is not a URL, or too long
 * - `login`: a URL with credentials in it
 */
export type RedirectStopReason = 'loop' | 'too_many' | 'scheme' | 'malformed' | 'login';

export interface FollowRedirectsResult {
  /** One for each request that got a response. */
  hops: readonly RedirectHop[];
  /** Of the last response. */
  url: string;
  /** The last response. */
  response: FetchResponse;
  stopReason: RedirectStopReason | null;
}

/** The error of a request in a chain, with the hops before it. */
export class RedirectChainError extends NetError {
  readonly hops: readonly RedirectHop[];
  /** The URL of the request that failed. */
  readonly url: string;

  constructor({ code, message }: NetError, hops: readonly RedirectHop[], url: string) {
    super(code, message);
    this.hops = hops;
    this.url = url;
  }
}

/**
 * Requests `start` and follows redirects, each vetted like the first, all within `timeoutMs`. Downgrades from https to http are
 * followed. Another origin is not `trusted` and gets only harmless headers. Cookies go back to the host that set them.
 * Throws `RedirectChainError` if a request fails.
 */
export async function followRedirects(
  net: NetworkClient,
  start: URL,
  options: FollowRedirectsOptions,
): Promise<FollowRedirectsResult> {
  const { maxHops = 10, onHop, onResponse, timeoutMs, ...fetchOptions } = options;
  const endsAt = performance.now() + timeoutMs;
  const crossOriginOptions = {
    ...fetchOptions,
    headers: headersForAnotherOrigin(fetchOptions.headers ?? {}),
    trusted: false,
  };
  const hops: RedirectHop[] = [];
  const seen = new Set<string>();
  const cookies = new RedirectCookieJar();
  let url = withoutFragment(start);
  for (;;) {
    seen.add(visitKey(url));
    await onHop?.(new URL(url));
    const response = await ask(url);
    cookies.storeCookies(url, response.headers.get('set-cookie') ?? []);
    const location = redirectLocation(response);
    const hop = { url: url.href, status: response.status, location, latencyMs: response.latencyMs };
    hops.push(hop);
    onResponse?.(hop);
    const end = (stopped: RedirectStopReason | null): FollowRedirectsResult => ({
      hops,
      url: url.href,
      response,
      stopReason: stopped,
    });
    if (location === null) return end(null);
    const next = URL.parse(location, url.href);
    if (next === null || next.href.length > MAX_URL_LENGTH) return end('malformed');
    if (!isHttpUrl(next)) return end('scheme');
    if (hasCredentials(next)) return end('login');
    const nextUrl = withoutFragment(next);
    if (seen.has(visitKey(nextUrl))) return end('loop');
    if (hops.length > maxHops) return end('too_many');
    url = nextUrl;
  }

  /** A URL with the cookies that are sent to it. */
  function visitKey(hop: URL): string {
    return `${hop.href} ${cookies.cookieHeader(hop)}`;
  }

  async function ask(hop: URL): Promise<FetchResponse> {
    try {
      const leftMs = Math.ceil(endsAt - performance.now());
      if (leftMs <= 0) throw new NetError('timeout', `${hop.host}: not done within ${timeoutMs} ms`);
      const { headers, ...rest } = hop.origin === start.origin ? fetchOptions : crossOriginOptions;
      const cookie = cookies.cookieHeader(hop);
      const sent = cookie === '' ? { ...headers } : { ...headers, cookie };
      return await net.fetch(hop, { ...rest, headers: sent, timeoutMs: leftMs });
    } catch (error) {
      throw error instanceof NetError ? new RedirectChainError(error, [...hops], hop.href) : error;
    }
  }
}

function withoutFragment(url: URL): URL {
  const bare = new URL(url);
  bare.hash = '';
  return bare;
}
