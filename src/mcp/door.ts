import type { IncomingHttpHeaders } from 'node:http';

/** Where the service listens, and which web pages of other hosts may use it. */
export interface Door {
  /** The address that it listens at. */
  host: string;
  /** `https://app.example.com`; their hosts are hosts of this service too. */
  allowedOrigins: readonly string[];
}

/** Why a request is kept out; null where it may come in. */
export type Doorkeeper = (headers: IncomingHttpHeaders) => string | null;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * A page of another host may not use this service through the browser of somebody who can reach it (Origin), nor by a name of its
 * own that it made to lead here (Host, where we listen on loopback alone).
 */
export function doorkeeper({ host: bound, allowedOrigins }: Door): Doorkeeper {
  const known = new Set(allowedOrigins.map(hostnameOf));
  const local = LOOPBACK.test(hostnameOf(`http://${bound.includes(':') ? `[${bound}]` : bound}`) ?? '');
  return ({ host, origin }) => {
    const given = hostnameOf(`http://${host ?? ''}`);
    if (given === null) return 'Invalid Host header';
    if (local && !LOOPBACK.test(given) && !known.has(given)) {
      return 'This Host is not served here (SEXTANT_MCP_ORIGINS may name it)';
    }
    if (origin === undefined || allowedOrigins.includes(origin)) return null;
    const from = hostnameOf(origin);
    const same = from !== null && (from === given || (LOOPBACK.test(from) && LOOPBACK.test(given)));
    return same ? null : 'Pages of this Origin may not use this service (SEXTANT_MCP_ORIGINS may name it)';
  };
}

function hostnameOf(address: string): string | null {
  const url = URL.parse(address);
  return url === null || url.hostname === '' ? null : url.hostname;
}
