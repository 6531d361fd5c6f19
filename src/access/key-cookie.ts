import type { IncomingHttpHeaders } from 'node:http';
import { isWellFormedApiKey } from './api-key.ts';
import { isLoopbackHost } from './origin-policy.ts';

/** How long a browser stays signed in without a new sign-in; a key may expire before. */
const MAX_AGE_SECONDS = 30 * 86_400;
/** A cookie with this prefix comes from this host alone, over TLS (RFC 6265bis, 4.1.3.2). */
const SECURE_NAME = '__Host-sextant-key';
const LOOPBACK_NAME = 'sextant-key';

/**
 * The name of the cookie that holds the key of somebody who signed in to the pages of `origin`. Null where there must be none: without
 * TLS, others on the way could read it.
 */
export function keyCookieName(origin: string): string | null {
  const url = URL.parse(origin);
  if (url?.protocol === 'https:') return SECURE_NAME;
  return url !== null && isLoopbackHost(url.hostname.replace(/^\[|\]$/g, '')) ? LOOPBACK_NAME : null;
}

/** The key in the cookie of a request; null without one. A malformed one is given as it is: it is refused as any other. */
export function readKeyCookie({ cookie = '' }: IncomingHttpHeaders, origin: string): string | null {
  const name = keyCookieName(origin);
  if (name === null) return null;
  const pair = cookie
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`));
  return pair === undefined ? null : pair.slice(name.length + 1);
}

/** `Set-Cookie` that keeps a well-formed key in the browser: no script reads it, and no other site's page sends it. Null: see `keyCookieName`. */
export function keyCookie(key: string, origin: string): string | null {
  return isWellFormedApiKey(key) ? setCookie(key, MAX_AGE_SECONDS, origin) : null;
}

/** `Set-Cookie` that removes it. */
export function clearedKeyCookie(origin: string): string | null {
  return setCookie('', 0, origin);
}

function setCookie(value: string, maxAge: number, origin: string): string | null {
  const name = keyCookieName(origin);
  if (name === null) return null;
  const secure = name === SECURE_NAME ? '; Secure' : '';
  return `${name}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Strict${secure}`;
}
