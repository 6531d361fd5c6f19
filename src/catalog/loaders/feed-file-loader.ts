import type { EntryByKind, EntryKind } from '../../feeds/entries.ts';

/** Writes the entries of one file of a feed into the catalog. The caller holds one transaction around all calls. */
export interface FeedFileLoader<K extends EntryKind> {
  put(entries: readonly EntryByKind[K][]): void;
  /**
   * To be called after the last entry. `dataTime` is the upstream's own time of the data, `notes` what else the file says of itself.
   * Absent: nothing is left to do.
   */
  finish?(dataTime: string | null, notes?: Readonly<Record<string, string>>): void;
}
