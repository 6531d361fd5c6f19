import type { DatabaseSync } from 'node:sqlite';
import type { Feed, FeedFile, FeedId } from '../../feeds/feed.ts';
import { countBytes } from '../../feeds/unpack.ts';
import type { OpenResult } from '../../feeds/upstream.ts';
import type { EntryKind } from '../../feeds/entries.ts';
import { type ChangeOrigin, ChangeRecorder } from '../history/change-recorder.ts';
import { createRecordWriter } from '../loaders/cve-loader.ts';
import type { FeedFileLoader } from '../loaders/feed-file-loader.ts';
import { startLoad } from '../start-load.ts';
import type { Deadline } from './deadline.ts';
import { FileParseStats, findRejection } from './file-parse-stats.ts';
import type { RecordThreads } from './parse-in-threads.ts';
import { FeedRejectedError } from './sync-errors.ts';

const PROGRESS_INTERVAL_BYTES = 1 << 20;

/** Progress of one file, about once for each MiB, and its end. `size` is in bytes, null where it is not known. */
export type FileLoadEvent =
  | { type: 'file'; feed: FeedId; file: string; bytes: number; size: number | null; entries: number }
  | { type: 'file_done'; feed: FeedId; file: string; entries: number; skipped: number; skips: string[] };

export interface LoadFeedFileOptions {
  /** Records of this file at the last sync. A file with extent `whole` that lost more than a tenth of them is rejected; 0: it never is. */
  knownRecords: number;
  deadline: Deadline;
  threads: RecordThreads;
  report: (event: FileLoadEvent) => void;
  /** Where the catalog that gets the history of changes is, and where these come from. Null: they are not recorded. */
  history: { db: DatabaseSync; origin: ChangeOrigin } | null;
}

/**
 * Loads one file of a feed in one transaction: all of it, or nothing. Throws `FeedRejectedError` for a file that could be read
 * and is not accepted, and the errors of the upstream, the parser and SQLite.
 */
export async function loadFeedFile(
  db: DatabaseSync,
  feed: Feed,
  file: FeedFile,
  { bytes, size }: Extract<OpenResult, { status: 'open' }>,
  { knownRecords, deadline, threads, report, history }: LoadFeedFileOptions,
): Promise<FileParseStats> {
  const stats = new FileParseStats();
  let reportedBytes = 0;
  const counted = countBytes(bytes, (length) => {
    stats.bytes += length;
    deadline.throwIfExpired();
    if (stats.bytes - reportedBytes < PROGRESS_INTERVAL_BYTES) return;
    reportedBytes = stats.bytes;
    report({ type: 'file', feed: feed.id, file: file.name, bytes: stats.bytes, size, entries: stats.entries });
  });
  db.exec('BEGIN');
  try {
    const changes = history === null ? null : new ChangeRecorder(history.db, history.origin);
    const finish = await loadEntries(db, feed, file, counted, { stats, deadline, threads, changes });
    const rejection = findRejection(stats, file, knownRecords);
    if (rejection !== null) {
      const remedy = rejection.hasShrunk ? `; if that is right: sextant sync ${feed.id} --allow-shrink` : '';
      throw new FeedRejectedError(`${rejection.reason}${remedy}`);
    }
    finish?.(stats.dataTime, stats.notes);
    db.exec('COMMIT');
  } catch (error) {
    // On a full disk SQLite has already rolled back by itself.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
  const { entries, skipped, skips } = stats;
  report({ type: 'file_done', feed: feed.id, file: file.name, entries, skipped, skips });
  return stats;
}

/** Writes all entries of the file. Gives what is to be done once the file is accepted. */
async function loadEntries(
  db: DatabaseSync,
  feed: Feed,
  file: FeedFile,
  bytes: AsyncIterable<Uint8Array>,
  {
    stats,
    deadline,
    threads,
    changes,
  }: { stats: FileParseStats; deadline: Deadline; threads: RecordThreads; changes: ChangeRecorder | null },
): Promise<FeedFileLoader<EntryKind>['finish']> {
  if (isRecordFeed(feed)) {
    const write = createRecordWriter(db, changes);
    for await (const { batch, entries } of threads.parse(feed.id, feed.records, bytes, file, stats)) {
      deadline.throwIfExpired();
      write(batch);
      stats.entries += entries;
    }
    return undefined;
  }
  const loader = startLoad(db, feed.kind, file.name, changes);
  for await (const entries of feed.parse(bytes, file, stats)) {
    deadline.throwIfExpired();
    loader.put(entries);
    stats.entries += entries.length;
  }
  return loader.finish?.bind(loader);
}

function isRecordFeed(feed: Feed): feed is Feed<'cve'> & Required<Pick<Feed<'cve'>, 'records'>> {
  return feed.kind === 'cve' && feed.records !== undefined;
}
