import type { WatchKey } from '../../analysis/watch/watch-keys.ts';
import type { WatchEvent } from '../../analysis/watch/watch.ts';
import type { Watch } from '../../engine/watch-book.ts';

/** Up to where the changes of the catalog were matched: `historyId` and `seq` as in `ChangeReader`. */
export interface MatchCursor {
  historyId: string;
  seq: number;
  /** When the last change that was matched was seen here; milliseconds since 1970. */
  seenAt: number;
}

/** What a pass found for one watch. */
export interface WatchMatch {
  watch: Watch;
  events: readonly WatchEvent[];
}

/** The parts of the store that matching and examining need: SQLite in the data folder, or PostgreSQL for replicas. */
export interface MatchStore {
  countWatches(): Promise<number>;
  /**
   * Watches that are not paused and have one of these keys, each once, by id; called with at most 1,000 keys. With `page` the first `limit` of
   * them after an id ('' for the first page): many watches may have the same key.
   */
  findByKeys(keys: readonly WatchKey[], page?: { afterId: string; limit: number }): Promise<Watch[]>;
  /** CVEs that were told to these watches before, with the status that was told last: `watch id`, `CVE id`, status. */
  lastTold(
    pairs: readonly { watchId: string; cveId: string }[],
  ): Promise<{ watchId: string; cveId: string; status: WatchEvent['status'] }[]>;
  /** Null: nothing was matched yet. */
  readCursor(): Promise<MatchCursor | null>;
  /**
   * In one transaction: the events (those that are kept already stay as they are), a delivery of them for each channel, and the cursor. False,
   * and nothing is written, where the cursor is not `from` any more: another process matched these changes.
   */
  commitMatches(from: MatchCursor | null, to: MatchCursor, matches: readonly WatchMatch[]): Promise<boolean>;
  /** Domains and indicators that are due, which no other process examines for the next ten minutes. */
  claimExaminations(now: Date, limit: number): Promise<{ watch: Watch; snapshot: unknown }[]>;
  /** In one transaction: the new snapshot, when it is examined next, the events and their deliveries. */
  commitExamination(
    watchId: string,
    result: { snapshot: unknown; nextAt: Date; events: readonly WatchEvent[] },
  ): Promise<void>;
}
