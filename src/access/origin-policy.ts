import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { ErrorCode } from '../errors.ts';
import { withoutBrackets } from '../net/http-url.ts';
import { isLoopback } from './client-address.ts';

/** Where the service listens, and which hosts and web origins may use it (docs/decisions/009-requests-from-pages.md). */
export interface OriginSettings {
  /** The address that the service listens at. */
  readonly host: string;
  /** Origins whose pages may use the service: `https://app.example.com`. Their hosts are names of this service too. */
  readonly allowedOrigins: readonly string[];
  /** Host names of this service, in lower case, without a port. */
  readonly allowedHosts?: readonly string[];
  /** Private targets are allowed, so answers may show an intranet. */
  readonly allowsPrivateTargets?: boolean;
}

/** Why a request is refused. */
export interface OriginRefusal {
  readonly code: Extract<ErrorCode, 'host_not_allowed' | 'origin_not_allowed'>;
  readonly message: string;
}

/** Checks a request by its headers; null where it is allowed. `isPage`: the answer is an HTML page without data. */
export type OriginCheck = (headers: IncomingHttpHeaders, isPage?: boolean) => OriginRefusal | null;

const MAX_CACHED_HOSTS = 100;
const MAX_CACHED_HOST_CHARACTERS = 100;
const HOST_REFUSAL: OriginRefusal = {
  code: 'host_not_allowed',
  message:
    'This Host is not served here. Ask by the address that the service listens at (SEXTANT_ALLOWED_HOSTS adds names).',
};
const ORIGIN_REFUSAL: OriginRefusal = {
  code: 'origin_not_allowed',
  message: 'Pages of this origin may not use this service (SEXTANT_ALLOWED_ORIGINS adds origins).',
};

/** True for `localhost`, 127.0.0.0/8 and ::1, as a listen address. */
export function isLoopbackHost(host: string): boolean {
  return host.toLowerCase() === 'localhost' || isLoopback(host);
}

/** True where any web page in a user's browser could read what it must not: a service of that machine, or an intranet. */
function isReachableByPages({ host, allowsPrivateTargets = false }: OriginSettings): boolean {
  return allowsPrivateTargets || isLoopbackHost(host);
}

/**
 * For REST. On a protected installation the Host header must be a name of it (against DNS rebinding), and pages of other origins are
 * refused before any work. Elsewhere only what is configured is checked.
 */
export function createOriginCheck(settings: OriginSettings): OriginCheck {
  const { allowedHosts = [], allowedOrigins, allowsPrivateTargets = false } = settings;
  const isProtected = isReachableByPages(settings);
  const isOwnHost = createHostCheck(settings);
  const checksHost = isProtected || allowedHosts.length > 0;
  const limitsOrigins = isProtected || allowedOrigins.length > 0;
  return (headers, isPage = false) => {
    if (checksHost && !isOwnHost(headers.host)) return HOST_REFUSAL;
    if (!limitsOrigins) return null;
    const { origin } = headers;
    if (origin !== undefined) {
      return allowedOrigins.includes(origin) || isSameOrigin(origin, headers.host) ? null : ORIGIN_REFUSAL;
    }
    return isProtected && isCrossSiteRequest(headers, isPage || !allowsPrivateTargets) ? ORIGIN_REFUSAL : null;
  };
}

/**
 * For MCP: other origins are refused everywhere unless listed. Pages of a loopback origin may use a service on loopback, as developer
 * tools do.
 */
export function createStrictOriginCheck(settings: OriginSettings): OriginCheck {
  const { allowedHosts = [], allowedOrigins } = settings;
  const checksHost = isReachableByPages(settings) || allowedHosts.length > 0;
  const isOwnHost = createHostCheck(settings);
  return (headers) => {
    if (checksHost && !isOwnHost(headers.host)) return HOST_REFUSAL;
    const { origin, host } = headers;
    if (origin === undefined || allowedOrigins.includes(origin)) return null;
    if (isLoopbackOrigin(origin) && isLoopbackOrigin(`http://${host ?? ''}`)) return null;
    // An unlisted name may point here by DNS rebinding: its page would then have the same origin.
    return isOwnHost(host) && isSameOrigin(origin, host) ? null : ORIGIN_REFUSAL;
  };
}

/** CORS: the origins whose pages may read answers of REST; `*`: all; false: only the service's own. */
export function corsAllowedOrigins(settings: OriginSettings): '*' | false | string[] {
  const { allowedOrigins } = settings;
  if (allowedOrigins.length > 0) return [...allowedOrigins];
  return isReachableByPages(settings) ? false : '*';
}

/** CORS: whether pages of an origin may read answers of MCP. */
export function isMcpCorsOrigin(origin: string, { allowedOrigins }: OriginSettings): boolean {
  return allowedOrigins.includes(origin) || isLoopbackOrigin(origin);
}

/**
 * Whether a Host header names this service. A name must be known. An IP address cannot be rebound, so any is accepted, except that a
 * service on loopback accepts loopback addresses only.
 */
function createHostCheck({
  host: listenHost,
  allowedHosts = [],
  allowedOrigins,
}: OriginSettings): (host?: string) => boolean {
  const knownHosts = new Set([...allowedHosts, ...allowedOrigins.map(hostnameOf)]);
  const anyAddress = !isLoopbackHost(listenHost);
  /** A client sends the same header every time. */
  const acceptedHosts = new Set<string>();
  return (host = '') => {
    if (acceptedHosts.has(host)) return true;
    const name = hostnameOf(`http://${host}`);
    if (name === null) return false;
    const isOwnHost =
      knownHosts.has(name) ||
      isLoopbackHost(withoutBrackets(name)) ||
      (anyAddress && isIP(withoutBrackets(name)) !== 0);
    if (isOwnHost && acceptedHosts.size < MAX_CACHED_HOSTS && host.length <= MAX_CACHED_HOST_CHARACTERS)
      acceptedHosts.add(host);
    return isOwnHost;
  };
}

/**
 * For forms of pages: true where a page of another origin sent them, on every installation. A client that says neither is no browser.
 * Browsers that hide the origin say so by Fetch Metadata.
 */
export function isForeignForm({ host, origin, ...headers }: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && !isSameOrigin(origin, host);
}

/** Ignores the scheme: TLS may end at a proxy, and the Host header has no scheme. */
function isSameOrigin(origin: string, host: string | undefined): boolean {
  const page = URL.parse(origin);
  if (page === null || page.origin !== origin) return false;
  return URL.parse(`${page.protocol}//${host ?? ''}`)?.host === page.host;
}

/** Fetch Metadata (W3C): requests of images and scripts of another site have no Origin header. */
function isCrossSiteRequest(headers: IncomingHttpHeaders, mayNavigate: boolean): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return false;
  return !(mayNavigate && headers['sec-fetch-mode'] === 'navigate');
}

function isLoopbackOrigin(address: string): boolean {
  const name = hostnameOf(address);
  return name !== null && isLoopbackHost(withoutBrackets(name));
}

function hostnameOf(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || url.hostname === '' || url.username !== '' || url.pathname !== '/') return null;
  return url.hostname;
}
