import type { SyncEvent } from '../../catalog/sync.ts';

/** Result of a sync for one feed. */
export interface FeedTally {
  feed: string;
  title: string;
  result: 'loaded' | 'unchanged' | 'failed' | 'partial';
  /** Records of this feed in the catalog after the sync. */
  records: number;
  /** Records that could not be read. */
  skipped: number;
  /** Files that were refused, and why. */
  problems: string[];
}

/** Collects the events of a sync in one row for each feed. */
export class SyncTally {
  readonly feeds: FeedTally[] = [];
  done: Extract<SyncEvent, { type: 'done' }> | null = null;
  #current: FeedTally | null = null;

  /** Returns the feed that this event completes, else null. */
  add(event: SyncEvent): FeedTally | null {
    switch (event.type) {
      case 'feed':
        this.#current = {
          feed: event.feed,
          title: event.title,
          result: 'unchanged',
          records: 0,
          skipped: 0,
          problems: [],
        };
        return null;
      case 'file_done':
        if (this.#current !== null) this.#current.skipped += event.skipped;
        return null;
      case 'refused':
        this.#current?.problems.push(event.file === null ? event.reason : `${event.file}: ${event.reason}`);
        return null;
      case 'feed_done': {
        const completed = this.#current;
        if (completed === null) return null;
        completed.result = event.result;
        completed.records = event.records;
        this.feeds.push(completed);
        this.#current = null;
        return completed;
      }
      case 'done':
        this.done = event;
        return null;
      default:
        return null;
    }
  }
}
