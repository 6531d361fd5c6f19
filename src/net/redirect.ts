import type { FetchResponse } from './fetch-types.ts';
import { hasCredentials, isHttpUrl } from './http-url.ts';
import { NetError } from './net-error.ts';

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** Request headers that mean the same to any server and disclose nothing. */
const CROSS_ORIGIN_SAFE_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'range',
  'user-agent',
]);

/** Whether a status is a redirect (301, 302, 303, 307 or 308). */
export function isRedirect(status: number): boolean {
  return REDIRECT_STATUSES.has(status);
}

/**
 * The Location of a redirect; null: not a redirect. Non-ASCII bytes (servers send UTF-8, for HTTP they are opaque: RFC 9110, 5.5) are
 * percent-encoded, as in browsers.
 */
export function redirectLocation({ status, headers }: Pick<FetchResponse, 'status' | 'headers'>): string | null {
  const sent = isRedirect(status) ? headers.get('location')?.[0] : undefined;
  return sent?.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`) ?? null;
}

/** The target of a redirect; null: not a redirect, or its Location is not a URL. */
export function redirectTarget(from: URL, response: Pick<FetchResponse, 'status' | 'headers'>): URL | null {
  const location = redirectLocation(response);
  return location === null ? null : URL.parse(location, from.href);
}

/** The target of a redirect, for feed downloads. Throws `bad_redirect` for one that is not http(s), has credentials, or leaves TLS. */
export function strictRedirectTarget(from: URL, location: string | null | undefined): URL {
  const createError = (why: string) => new NetError('bad_redirect', `${from.host}: redirect ${why}`);
  if (!location) throw createError('without a location');
  const to = URL.parse(location, from.href);
  if (!to) throw createError('to a malformed address');
  if (!isHttpUrl(to)) throw createError(`to ${to.protocol}`);
  if (from.protocol === 'https:' && to.protocol === 'http:') throw createError('from https to http');
  if (hasCredentials(to)) throw createError('with credentials in it');
  to.hash = '';
  return to;
}

/** The headers that another origin may see. */
export function headersForAnotherOrigin(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => CROSS_ORIGIN_SAFE_HEADERS.has(name)));
}
