/** An upstream answered, but not with what was asked for. What keeps an answer from coming is a `NetError`. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  /** HTTP status; null for a folder, or where the status was not the trouble. */
  readonly status: number | null;
  /** When the upstream is willing to be asked again, where it said so. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, status: number | null = null, retryAfterSeconds: number | null = null) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
