/** An upstream gave an unusable answer. If no answer came, the error is a `NetError`. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  /** HTTP status; null for a folder, or where the status was as expected. */
  readonly status: number | null;

  constructor(message: string, status: number | null = null) {
    super(message);
    this.status = status;
  }
}
