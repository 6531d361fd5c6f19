import { DEFAULT_BOUNDS, type HttpBounds } from '../net/http-get.ts';
import type { ConnectionPool } from '../net/connection-pool.ts';
import type { FileUpstream, Upstream } from './upstream.ts';
import { UpstreamError } from './upstream-error.ts';
import { isOciAddress } from './oci-address.ts';
import { createOciUpstream } from './upstream-oci.ts';
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

/** The place of a published catalog: as `createUpstream`, or a repository of an OCI registry (`oci:`). */
export function createFileUpstream(options: CreateUpstreamOptions): FileUpstream {
  const { address, web, signal } = options;
  if (!isOciAddress(address)) return createUpstream(options);
  if (web?.pool === undefined) throw new UpstreamError('a registry needs a connection pool');
  return createOciUpstream(new URL(address), { ...withDefaults(web), pool: web.pool }, signal);
}

function withDefaults(web: WebUpstreamOptions | undefined): Omit<WebUpstreamConfig, 'pool'> {
  return { ...DEFAULT_WEB_CONFIG, ...web, bounds: { ...DEFAULT_WEB_CONFIG.bounds, ...web?.bounds } };
}

/** Options that replace the defaults. */
export type WebUpstreamOptions = Partial<Omit<WebUpstreamConfig, 'bounds' | 'pool'>> & {
  bounds?: Partial<HttpBounds>;
  /** Required for web addresses. */
  pool?: ConnectionPool | undefined;
};

/** The upstream at a feed's address; nothing is read yet. Throws `UpstreamError` for another kind of address. */
export function createUpstream({ address, layout, web, signal }: CreateUpstreamOptions): Upstream {
  const options = withDefaults(web);
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
