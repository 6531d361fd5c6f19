import type { ByteClaim } from './byte-budget.ts';
import type { TrustOptions, TimeoutOptions } from './request-options.ts';

export interface FetchOptions extends TimeoutOptions, TrustOptions {
  method?: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'TRACE';
  /** Lower-case names. */
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Of the body as transferred, and after content codings are undone. */
  maxBytes: number;
  /** What is longer than `maxBytes` is cut (`truncated`) instead of refused: for pages. */
  cut?: boolean;
  /** The certificate need not be valid: for looking at sites as they are. Default: false. */
  anyCertificate?: boolean;
  /** Counts the bytes that are kept, and has the reading wait while there is no room for them. */
  claim?: ByteClaim | undefined;
}

export interface FetchResponse {
  status: number;
  /** Lower-case names with their values in order, each header line apart. */
  headers: ReadonlyMap<string, readonly string[]>;
  body: Uint8Array;
  truncated: boolean;
  /** The vetted address that answered. */
  address: string;
  /** From connecting to the end of the headers. */
  latencyMs: number;
}
