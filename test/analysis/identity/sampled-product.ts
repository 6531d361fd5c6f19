/**
 * Products that were drawn at random from the names of the feeds, weighted by their CVEs (75 of all names, 80 of names that several
 * vendors have; hardware and firmware left out; at most three of a vendor), and products as people type them. They were labelled by
 * reading names and CVEs before the rules of identities were read, and split at random into two halves: rules are
 * made from the misses of half A, and half B only measures.
 */
export interface SampledProduct {
  /** What people type. */
  typed: string;
  /** A name of the product, `vendor:product`. */
  pair: string;
  /** All its other names in the feeds: former owners, spellings, packages. */
  same: readonly string[];
  /** Names that may count as this product or as one of their own: editions, releases, parts. They are not measured. */
  either: readonly string[];
  /** Names that look like this product and are not. A name that stands in no list is not this product, either. */
  other: readonly string[];
}

/** Reads lines of `typed | pair | same | either | other`, with names separated by spaces. */
export function sampledProducts(table: string): SampledProduct[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [typed, pair, ...lists] = line.split('|').map((field) => field.trim());
      const [same, either, other] = lists.map((list) => list.split(' ').filter((name) => name !== ''));
      if (!typed || !pair || !same || !either || !other) throw new Error(`not a row of five fields: ${line}`);
      return { typed, pair, same, either, other };
    });
}
