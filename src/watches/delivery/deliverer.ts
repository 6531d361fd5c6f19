/** How a try ended, as far as the receiver says. */
export type SendResult =
  | { kind: 'received' }
  | {
      kind: 'failed';
      /** In words, without text of the receiver. */
      error: string;
      /** What it asked to wait; null: nothing. */
      retryAfterSeconds: number | null;
      /** It will not be received later either. */
      isFinal: boolean;
    };

/** A failure that may pass. */
export function failed(error: string, { retryAfterSeconds = null as number | null, isFinal = false } = {}): SendResult {
  return { kind: 'failed', error, retryAfterSeconds, isFinal };
}
