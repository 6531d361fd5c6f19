import type { FetchResponse } from './fetch-types.ts';
import { NetError } from './net-error.ts';

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** Request headers that mean the same to any server and give nothing away. */
const CROSS_ORIGIN_SAFE_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'range',
  'user-agent',
]);

export function isRedirect(status: number): boolean {
  return REDIRECT_STATUSES.has(status);
}

/**
 * The Location of a redirect; null: the answer is no redirect. Bytes beyond ASCII, which servers send in UTF-8 and HTTP knows only as
 * bytes (RFC 9110, 5.5), are percent-encoded one by one, as browsers do.
 */
export function redirectLocation({ status, headers }: Pick<FetchResponse, 'status' | 'headers'>): string | null {
  const sent = isRedirect(status) ? headers.get('location')?.[0] : undefined;
  return sent?.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`) ?? null;
}

/** Where a redirect leads; null: the answer is no redirect, or leads to no readable address. */
export function redirectTarget(from: URL, answer: Pick<FetchResponse, 'status' | 'headers'>): URL | null {
  const location = redirectLocation(answer);
  return location === null ? null : URL.parse(location, from.href);
}

/** Where an answer of `from` sends us. Throws `bad_redirect` for what is not http(s), carries a login, or leaves TLS. */
export function strictRedirectTarget(from: URL, location: string | undefined): URL {
  const refuse = (why: string) => new NetError('bad_redirect', `${from.host}: redirect ${why}`);
  if (!location) throw refuse('without a location');
  const to = URL.parse(location, from.href);
  if (!to) throw refuse('to a malformed address');
  if (to.protocol !== 'https:' && to.protocol !== 'http:') throw refuse(`to ${to.protocol}`);
  if (from.protocol === 'https:' && to.protocol === 'http:') throw refuse('from https to http');
  if (to.username || to.password) throw refuse('with a login in it');
  to.hash = '';
  return to;
}

/** `headers` without those that another origin must not see: only the ones known to be harmless follow. */
export function headersForAnotherOrigin(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => CROSS_ORIGIN_SAFE_HEADERS.has(name)));
}
