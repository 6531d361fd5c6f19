import { shownLine } from '../analysis/text.ts';
import { FeedFormatError } from '../feeds/feed.ts';
import { UpstreamError } from '../feeds/upstream-error.ts';
import { NetError } from '../net/net-error.ts';

const LONGEST_REASON = 300;

/** Why the sync itself did not take a file or a feed; the message is for everybody. */
export class SyncRefusal extends Error {
  override readonly name = 'SyncRefusal';
}

/** The error numbers of POSIX that a sync can meet, in words. */
const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'a file became too large',
  EROFS: 'the file system is read-only',
  EACCES: 'a file or folder may not be used',
  EPERM: 'a file or folder may not be used',
  ENOENT: 'a file is missing',
  EIO: 'the disk reports an error',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENOMEM: 'there is not enough memory',
  EAGAIN: 'the system has no room for another process',
};

/** SQLite's primary result codes (sqlite.org/rescode.html) that say something to an operator. */
const SQLITE_ERRORS: Readonly<Record<number, string>> = {
  5: 'the database is locked',
  6: 'the database is locked',
  7: 'there is not enough memory',
  8: 'the database is read-only',
  10: 'the disk reports an error',
  11: 'the database is damaged',
  13: 'the disk is full',
  14: 'the database cannot be opened',
  26: 'the database is damaged',
};

/** What the system or SQLite reported, in words without a path, a statement or a system message. */
export function systemErrorText(error: unknown): string {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  if (code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number') {
    // The lower byte is the primary code, the rest tells more of it.
    return SQLITE_ERRORS[errcode & 0xff] ?? `the database reports error ${errcode}`;
  }
  if (typeof code !== 'string' || !/^[A-Z][A-Z0-9_]{1,40}$/.test(code)) return 'an unexpected error';
  const words = SYSTEM_ERRORS[code];
  return words === undefined ? `an unexpected error (${code})` : `${words} (${code})`;
}

/** For the state of a source, which everybody may read: what happened, without the address or the path at which it did. */
export function syncErrorText(error: unknown): string {
  if (error instanceof NetError) return `the connection failed (${error.code})`;
  if (error instanceof UpstreamError && error.status !== null) return `it was answered with status ${error.status}`;
  const isOurs = error instanceof SyncRefusal || error instanceof FeedFormatError || error instanceof UpstreamError;
  return isOurs ? shownLine(error.message, LONGEST_REASON) : systemErrorText(error);
}
