import { DEFAULT_BOUNDS, type HttpBounds } from '../net/http.ts';
import type { Upstream } from './upstream.ts';
import { UpstreamError } from './upstream-error.ts';
import { openFolder } from './upstream-folder.ts';
import { openWeb, type WebOptions } from './upstream-web.ts';

export interface UpstreamSettings {
  /** `file:` folder or http(s) address; a login in it becomes Basic authorization. */
  address: string;
  /** How a web address is laid out; a folder is always `folder`. */
  layout: 'mirror' | 'origin';
  web?: WebSettings;
  signal?: AbortSignal | undefined;
}

/** What differs from the defaults. */
export type WebSettings = Partial<Omit<WebOptions, 'bounds'>> & { bounds?: Partial<HttpBounds> };

/** Opens a feed's address; nothing is read yet. Throws `UpstreamError` where the address is of no known kind. */
export function openUpstream({ address, layout, web, signal }: UpstreamSettings): Upstream {
  const options: WebOptions = { ...DEFAULTS, ...web, bounds: { ...DEFAULTS.bounds, ...web?.bounds } };
  const url = URL.parse(address);
  switch (url?.protocol) {
    case 'file:':
      return openFolder(url, options.maxTextBytes, options.bounds.maxBytes, signal);
    case 'http:':
    case 'https:':
      return openWeb(url, layout, options, signal);
    default:
      throw new UpstreamError('a feed address is a file:, http: or https: URL');
  }
}

const GIB = 1024 ** 3;

const DEFAULTS: WebOptions = {
  bounds: { ...DEFAULT_BOUNDS, maxBytes: GIB, maxDecodedBytes: GIB },
  maxTextBytes: 1024 ** 2,
  retries: 2,
  backoffMs: 1000,
};
