import type { EntryKind, EntryByKind } from '../feeds/entries.ts';

/** Takes the entries of one file into the catalog. The caller holds a transaction around `put` and `finish`. */

export interface FeedFileLoader<K extends EntryKind> {
  put(entries: readonly EntryByKind[K][]): void;
  /** After the last entry; `dataTime` is the upstream's own time of the data. */
  finish(dataTime: string | null): void;
}
