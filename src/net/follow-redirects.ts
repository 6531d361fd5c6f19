import { RedirectCookieJar } from './redirect-cookie-jar.ts';
import type { FetchResponse, FetchOptions } from './fetch-types.ts';
import type { NetworkClient } from './network-client.ts';
import { NetError } from './net-error.ts';
import { headersForAnotherOrigin, redirectLocation } from './redirect.ts';

const MAX_URL_LENGTH = 4096;

export interface FollowRedirectsOptions extends Omit<FetchOptions, 'method' | 'body'> {
  method?: 'GET' | 'HEAD';
  /** Redirects that are followed. Default: 10. */
  maxHops?: number;
  /** Awaited before each request, the first too; what it throws ends the chain and reaches the caller. */
  onHop?: (url: URL) => Promise<void> | void;
  /** Told of each hop that was answered. */
  onAnswer?: (hop: RedirectHop) => void;
}

export interface RedirectHop {
  url: string;
  status: number;
  /** As the server sent it, with bytes beyond ASCII percent-encoded. */
  location: string | null;
  latencyMs: number;
}

/**
 * Why a chain ended before an answer that is no redirect: it came back to an address it was at, with no other cookies (`loop`), it was longer than
 * `maxHops` (`too_many`), a redirect led to what is not http(s) (`scheme`), to no readable address or one without measure
 * (`malformed`), or with a login in it (`login`).
 */
export type RedirectStopReason = 'loop' | 'too_many' | 'scheme' | 'malformed' | 'login';

export interface FollowRedirectsResult {
  /** One for each request that was answered. */
  hops: readonly RedirectHop[];
  /** Of the last answer. */
  url: string;
  /** The last answer. */
  response: FetchResponse;
  stopReason: RedirectStopReason | null;
}

/** What a request of a chain failed with, and the hops that were answered before. */
export class RedirectChainError extends NetError {
  readonly hops: readonly RedirectHop[];
  /** Of the request that failed. */
  readonly url: string;

  constructor({ code, message }: NetError, hops: readonly RedirectHop[], url: string) {
    super(code, message);
    this.hops = hops;
    this.url = url;
  }
}

/**
 * Asks `start` and follows redirects, each vetted like the first, all within `timeoutMs`. From https to http it follows too.
 * Another origin is not `trusted`, and sees no headers but harmless ones. Cookies go back to the host that set them.
 * Throws `ChainError` (a `NetError`) where a request fails, `refused_address` among them.
 */
export async function followRedirects(
  net: NetworkClient,
  start: URL,
  options: FollowRedirectsOptions,
): Promise<FollowRedirectsResult> {
  const { maxHops = 10, onHop, onAnswer, timeoutMs, ...fetchOptions } = options;
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
    onAnswer?.(hop);
    const end = (stopped: RedirectStopReason | null): FollowRedirectsResult => ({
      hops,
      url: url.href,
      response: response,
      stopReason: stopped,
    });
    if (location === null) return end(null);
    const next = URL.parse(location, url.href);
    if (next === null || next.href.length > MAX_URL_LENGTH) return end('malformed');
    if (next.protocol !== 'https:' && next.protocol !== 'http:') return end('scheme');
    if (next.username !== '' || next.password !== '') return end('login');
    const nextUrl = withoutFragment(next);
    if (seen.has(visitKey(nextUrl))) return end('loop');
    if (hops.length > maxHops) return end('too_many');
    url = nextUrl;
  }

  /** An address, and what is sent to it. */
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
