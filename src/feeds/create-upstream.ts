import { DEFAULT_BOUNDS, type HttpBounds } from '../net/http-get.ts';
import type { ConnectionPool } from '../net/connection-pool.ts';
import type { Upstream } from './upstream.ts';
import { UpstreamError } from './upstream-error.ts';
import { createFolderUpstream } from './upstream-folder.ts';
import { createWebUpstream, type WebUpstreamConfig } from './upstream-web.ts';

export interface CreateUpstreamOptions {
  /** `file:` folder or http(s) address; user and password in it become Basic authorization. */
  address: string;
  /** The layout of a web address; a folder always has the layout `folder`. */
  layout: 'mirror' | 'origin';
  web?: WebUpstreamOptions;
  signal?: AbortSignal | undefined;
}

/** Options that replace the defaults. */
export type WebUpstreamOptions = Partial<Omit<WebUpstreamConfig, 'bounds' | 'pool'>> & {
  bounds?: Partial<HttpBounds>;
  /** Required for web addresses. */
  pool?: ConnectionPool | undefined;
};

/** The upstream at a feed's address; nothing is read yet. Throws `UpstreamError` for another kind of address. */
export function createUpstream({ address, layout, web, signal }: CreateUpstreamOptions): Upstream {
  const options = {
    ...DEFAULT_WEB_CONFIG,
    ...web,
    bounds: { ...DEFAULT_WEB_CONFIG.bounds, ...web?.bounds },
  };
  const url = URL.parse(address);
  switch (url?.protocol) {
    case 'file:':
      return createFolderUpstream(url, options.maxTextBytes, options.bounds.maxBytes, signal);
    case 'http:':
    case 'https:':
      if (web?.pool === undefined) throw new UpstreamError('a web address needs a connection pool');
      return createWebUpstream(url, layout, { ...options, pool: web.pool }, signal);
    default:
      throw new UpstreamError('a feed address is a file:, http: or https: URL');
  }
}

const GIB = 1024 ** 3;

const DEFAULT_WEB_CONFIG: Omit<WebUpstreamConfig, 'pool'> = {
  bounds: { ...DEFAULT_BOUNDS, maxBytes: GIB, maxDecodedBytes: GIB },
  maxTextBytes: 1024 ** 2,
  retries: 2,
  backoffMs: 1000,
};
