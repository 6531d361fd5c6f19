import { DEFAULT_BOUNDS, type HttpBounds } from '../net/http.ts';
import { UpstreamError } from './upstream-error.ts';
import { openFolder } from './upstream-folder.ts';
import { openWeb, type WebOptions } from './upstream-web.ts';

/** One feed's address, to read files from: a folder (`file:`) or a web server. */
export interface Upstream {
  /** Without a login, should it have one. */
  readonly address: string;
  /** `folder` for `file:`, `mirror` for a web copy laid out as the folder is, `origin` for the upstream's own address. */
  readonly layout: 'folder' | 'mirror' | 'origin';
  /** A small text file; null when it does not exist. */
  text(path: string, maxBytes?: number): Promise<string | null>;
  /** A JSON answer of the upstream's API with its `Link: rel="next"` address, if any; null when it does not exist. */
  json(path: string, maxBytes?: number): Promise<{ body: unknown; next: string | null } | null>;
  /** Names of the files there that match, in order; for a web server, from its directory page. */
  list(pattern: RegExp): Promise<string[]>;
  /**
   * Bytes as transferred, to be read once; `unchanged` when `validator` still holds; `missing` when there is no such file.
   * A web server's file that breaks off is continued where it stopped, where that is possible.
   */
  open(path: string, validator: string | null): Promise<Opened>;
}

export type Opened =
  | { status: 'unchanged' }
  | { status: 'missing' }
  | { status: 'open'; bytes: AsyncIterable<Uint8Array>; size: number | null; validator: string | null };

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
