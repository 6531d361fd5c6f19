export interface TimeoutOptions {
  /** For the whole call, milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}
export interface TrustOptions {
  /** The operator configured the host: its address may be private. Default: false. */
  trusted?: boolean;
}
