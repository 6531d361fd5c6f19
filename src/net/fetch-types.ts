import type { ByteClaim } from './byte-budget.ts';
import type { TrustOptions, TimeoutOptions } from './request-options.ts';

export interface FetchOptions extends TimeoutOptions, TrustOptions {
  method?: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'TRACE';
  /** Lower-case names. */
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Limit of the body, as transferred and as decoded. */
  maxBytes: number;
  /** Cuts a longer body at `maxBytes` (`truncated`) instead of throwing `too_large`. */
  truncate?: boolean;
  /** Accepts any certificate: for inspecting sites as they are. Default: false. */
  anyCertificate?: boolean;
  /** Only addresses in networks that the operator allows may be reached, no public ones: for secret text without TLS. Default: false. */
  allowedPrivateOnly?: boolean;
  /** Counts the bytes of the body against a budget; reading waits while it is used up. */
  claim?: ByteClaim | undefined;
}

export interface FetchResponse {
  status: number;
  /** Lower-case names with their values in order, each header line apart. */
  headers: ReadonlyMap<string, readonly string[]>;
  body: Uint8Array;
  truncated: boolean;
  /** The vetted address that responded. */
  address: string;
  /** Milliseconds from connecting to the end of the headers. */
  latencyMs: number;
}
