import { displayLine } from '../analysis/display-text.ts';
import { FeedFormatError } from '../feeds/feed.ts';
import { UpstreamError } from '../feeds/upstream-error.ts';
import { NetError } from '../net/net-error.ts';
import { describeSystemError, isSystemError } from '../system-error.ts';

const MAX_REASON_CHARACTERS = 300;

/** Why the sync itself did not take a file or a feed; the message is for everybody. */
export class FeedRejectedError extends Error {
  override readonly name = 'SyncRefusal';
}

/** For the state of a source, which everybody may read: what happened, without the address or the path at which it did. */
export function publicSyncErrorText(error: unknown): string {
  if (error instanceof NetError) return `the connection failed (${error.code})`;
  if (error instanceof UpstreamError && error.status !== null) return `it was answered with status ${error.status}`;
  const hasOwnMessage =
    error instanceof FeedRejectedError || error instanceof FeedFormatError || error instanceof UpstreamError;
  if (hasOwnMessage) return displayLine(error.message, MAX_REASON_CHARACTERS);
  return isSystemError(error) ? describeSystemError(error) : 'an unexpected error';
}
