import type { IncomingHttpHeaders } from 'node:http';

/** Where the service listens, and which web pages of other hosts may use it. */
export interface Door {
  /** The address that it listens at. */
  host: string;
  /** `https://app.example.com`; their hosts are hosts of this service too. */
  allowedOrigins: readonly string[];
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Why a request is kept out, null where it may come in. A page of another host may not use this service through the browser of
 * somebody who can reach it (Origin), nor by a name of its own that it made to lead here (Host, where we listen on loopback only).
 */
export function keptOut({ host, origin }: IncomingHttpHeaders, { host: bound, allowedOrigins }: Door): string | null {
  const given = hostnameOf(`http://${host ?? ''}`);
  if (given === null) return 'Invalid Host header';
  const known = allowedOrigins.map(hostnameOf);
  const bare = hostnameOf(`http://${bound.includes(':') ? `[${bound}]` : bound}`);
  if (bare !== null && LOOPBACK.has(bare) && !LOOPBACK.has(given) && !known.includes(given))
    return 'This Host is not served here';
  if (origin === undefined || allowedOrigins.includes(origin)) return null;
  const from = hostnameOf(origin);
  const same = from !== null && (from === given || (LOOPBACK.has(from) && LOOPBACK.has(given)));
  return same ? null : 'Pages of this Origin may not use this service';
}

function hostnameOf(address: string): string | null {
  const url = URL.parse(address);
  return url === null || url.hostname === '' ? null : url.hostname;
}
