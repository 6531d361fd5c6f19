import { LRUCache } from 'lru-cache';

/**
 * A cache of at most `maxEntries`; the least recently used go first. Bounded by a size of 1 each: with `max` the places of all entries are
 * reserved at once, which is megabytes and milliseconds of each start.
 */
export function createLruCache<Key extends {}, Value extends {}>(maxEntries: number): LRUCache<Key, Value> {
  return new LRUCache<Key, Value>({ maxSize: maxEntries, sizeCalculation: () => 1 });
}
