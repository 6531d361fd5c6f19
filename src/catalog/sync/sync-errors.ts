import { displayLine } from '../../analysis/display-text.ts';
import { FeedFormatError } from '../../feeds/feed.ts';
import { UpstreamError } from '../../feeds/upstream-error.ts';
import { NetError } from '../../net/net-error.ts';
import { describeSystemError, isSystemError } from '../../system-error.ts';

const MAX_REASON_CHARACTERS = 300;

/** Another process is syncing this data folder. */
export class SyncBusyError extends Error {
  override readonly name = 'SyncBusyError';
  constructor() {
    super('another sync of this data folder is running');
  }
}

/** The sync itself does not accept a file or a feed. The message holds no address or path: every caller may see it. */
export class FeedRejectedError extends Error {
  override readonly name = 'FeedRejectedError';
}

/** What went wrong, for the state of a feed, which every caller may read: without addresses and paths. */
export function publicSyncErrorText(error: unknown): string {
  if (error instanceof NetError) return `the connection failed (${error.code})`;
  if (error instanceof UpstreamError && error.status !== null) return `it was answered with status ${error.status}`;
  const hasOwnMessage =
    error instanceof FeedRejectedError || error instanceof FeedFormatError || error instanceof UpstreamError;
  if (hasOwnMessage) return displayLine(error.message, MAX_REASON_CHARACTERS);
  return isSystemError(error) ? describeSystemError(error) : 'an unexpected error';
}
