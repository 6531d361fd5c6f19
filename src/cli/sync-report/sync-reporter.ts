import type { SyncEvent } from '../../catalog/sync.ts';

/** Shows the events of a running sync. */
export interface SyncReporter {
  onEvent(event: SyncEvent): void;
  /** Called at the end of the sync, also after an error: cleans up the terminal. */
  end(): void;
}
