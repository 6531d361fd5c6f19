export interface TimeoutOptions {
  /** For the whole of it, milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}
export interface TrustOptions {
  /** The address was set by the operator: it may be private. Default: false. */
  trusted?: boolean;
}
