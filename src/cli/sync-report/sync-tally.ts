import type { SyncEvent } from '../../catalog/sync.ts';

/** Shows the events of a running sync. */
export interface SyncReporter {
  onEvent(event: SyncEvent): void;
  /** Cleans up the terminal; called at the end of the sync, also after an error. */
  end?(): void;
}

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

const EMPTY_TALLY = { result: 'unchanged', records: 0, skipped: 0 } as const;

/** Collects the events of a sync in one row for each feed. */
export class SyncTally {
  readonly feeds: FeedTally[] = [];
  done: Extract<SyncEvent, { type: 'done' }> | null = null;
  #current: FeedTally | null = null;

  /** Returns the feed that this event completes, else null. */
  add(event: SyncEvent): FeedTally | null {
    switch (event.type) {
      case 'feed':
        this.#current = { ...EMPTY_TALLY, feed: event.feed, title: event.title, problems: [] };
        break;
      case 'file_done':
        if (this.#current !== null) this.#current.skipped += event.skipped;
        break;
      case 'refused':
        this.#current?.problems.push(event.file === null ? event.reason : `${event.file}: ${event.reason}`);
        break;
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
    }
    return null;
  }
}
