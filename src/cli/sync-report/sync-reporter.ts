import type { SyncEvent } from '../../catalog/sync.ts';

/** Follows a sync and tells of it. */
export interface SyncReporter {
  onEvent(event: SyncEvent): void;
  /** The sync is over, well or not: leave the terminal as it was. */
  end(): void;
}
