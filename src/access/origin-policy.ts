import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { ErrorCode } from '../errors.ts';
import { isLoopback } from './client-address.ts';

/** Where the service listens, and which hosts and web pages it answers (docs/decisions/009-requests-from-pages.md). */
export interface OriginSettings {
  /** The address that it listens at. */
  readonly host: string;
  /** Origins whose pages may use it: `https://app.example.com`. Their hosts are names of this service too. */
  readonly allowedOrigins: readonly string[];
  /** Host names that lead here, in lower case, without a port. */
  readonly allowedHosts?: readonly string[];
  /** Targets that are not public may be asked: who uses the service sees an intranet. */
  readonly allowsPrivateTargets?: boolean;
}

/** Why a request is refused. */
export interface OriginRefusal {
  readonly code: Extract<ErrorCode, 'host_not_allowed' | 'origin_not_allowed'>;
  readonly message: string;
}

/** Judges a request by its headers; null where it may come in. `isPage`: the answer is a page to look at, and no data. */
export type OriginCheck = (headers: IncomingHttpHeaders, isPage?: boolean) => OriginRefusal | null;

/** True for `localhost` and for addresses of 127.0.0.0/8 and ::1, as one listens at them. */
export function isLoopbackHost(host: string): boolean {
  return host.toLowerCase() === 'localhost' || isLoopback(host);
}

/** True where a page that a person visits could reach what it must not see: this machine's own service, or an intranet. */
function isReachableByPages({ host, allowsPrivateTargets = false }: OriginSettings): boolean {
  return allowsPrivateTargets || isLoopbackHost(host);
}

/**
 * For REST: on a guarded installation the Host must be a name of it (a page can make a name of its own lead here: DNS rebinding),
 * and pages of other origins are refused before any work. Elsewhere only what is configured is checked.
 */
export function createOriginCheck(settings: OriginSettings): OriginCheck {
  const { allowedHosts = [], allowedOrigins, allowsPrivateTargets = false } = settings;
  const guarded = isReachableByPages(settings);
  const isHere = createHostCheck(settings);
  const checksHost = guarded || allowedHosts.length > 0;
  const limitsOrigins = guarded || allowedOrigins.length > 0;
  return (headers, isPage = false) => {
    if (checksHost && !isHere(headers.host)) return HOST_REFUSAL;
    if (!limitsOrigins) return null;
    const { origin } = headers;
    if (origin !== undefined) {
      return allowedOrigins.includes(origin) || isSameOrigin(origin, headers.host) ? null : ORIGIN_REFUSAL;
    }
    return guarded && isCrossSiteRequest(headers, isPage || !allowsPrivateTargets) ? ORIGIN_REFUSAL : null;
  };
}

/**
 * For MCP, which no page needs unless it is listed: other origins are refused everywhere. Pages of this machine may use what
 * listens on loopback, as tools for developers do.
 */
export function createStrictOriginCheck(settings: OriginSettings): OriginCheck {
  const { allowedHosts = [], allowedOrigins } = settings;
  const checksHost = isReachableByPages(settings) || allowedHosts.length > 0;
  const isHere = createHostCheck(settings);
  return (headers) => {
    if (checksHost && !isHere(headers.host)) return HOST_REFUSAL;
    const { origin, host } = headers;
    if (origin === undefined || allowedOrigins.includes(origin)) return null;
    if (isLoopbackOrigin(origin) && isLoopbackOrigin(`http://${host ?? ''}`)) return null;
    // A name that nobody listed may have been made to lead here, and its page is then of the same origin.
    return isHere(host) && isSameOrigin(origin, host) ? null : ORIGIN_REFUSAL;
  };
}

/** As CORS has it: the origins whose pages may read answers of REST; `*`: all, false: none but the service's own. */
export function corsAllowedOrigins(settings: OriginSettings): '*' | false | string[] {
  const { allowedOrigins } = settings;
  if (allowedOrigins.length > 0) return [...allowedOrigins];
  return isReachableByPages(settings) ? false : '*';
}

/** Whether pages of an origin may read answers of MCP at all, whatever else of their requests is checked. */
export function isMcpCorsOrigin(origin: string, { allowedOrigins }: OriginSettings): boolean {
  return allowedOrigins.includes(origin) || isLoopbackOrigin(origin);
}

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

/**
 * Of a Host header: whether it names this service. A name must be known; an address cannot be made to lead elsewhere, but what
 * listens on loopback is only met at an address of loopback.
 */
function createHostCheck({
  host: bound,
  allowedHosts = [],
  allowedOrigins,
}: OriginSettings): (host?: string) => boolean {
  const known = new Set([...allowedHosts, ...allowedOrigins.map(hostnameOf)]);
  const anyAddress = !isLoopbackHost(bound);
  /** Headers that were found right before: each client sends the same one every time. */
  const right = new Set<string>();
  return (host = '') => {
    if (right.has(host)) return true;
    const name = hostnameOf(`http://${host}`);
    if (name === null) return false;
    const isHere =
      known.has(name) || isLoopbackHost(withoutBrackets(name)) || (anyAddress && isIP(withoutBrackets(name)) !== 0);
    if (isHere && right.size < MAX_CACHED_HOSTS && host.length <= MAX_CACHED_HOST_CHARACTERS) right.add(host);
    return isHere;
  };
}

/** Whichever scheme: TLS may end at a proxy, and the Host says nothing of it. */
function isSameOrigin(origin: string, host: string | undefined): boolean {
  const page = URL.parse(origin);
  if (page === null || page.origin !== origin) return false;
  return URL.parse(`${page.protocol}//${host ?? ''}`)?.host === page.host;
}

/** Fetch Metadata: what an image or a script of another site asks for, which carries no Origin. */
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

/** An IPv6 address without its brackets. */
function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
