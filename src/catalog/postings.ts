import type { DatabaseSync } from 'node:sqlite';
import { createLruCache } from '../lru-cache.ts';
import { OrdinalSet } from './ordinal-set.ts';
import { postingOrdinals } from './posting-bytes.ts';
import { TOKEN_KINDS } from './product-tokens.ts';

/** A list of CVEs is stored for each `(kind, vendor, product)`; for a weakness it is `(weakness, '', 'CWE-79')`. */
export const POSTING_KINDS = { ...TOKEN_KINDS, weakness: 4 } as const;
/** Kinds of the products that a CVE affects, whether a source gives a CPE name or a plain one. */
export const AFFECTED_KINDS: readonly number[] = [POSTING_KINDS.affected, POSTING_KINDS.plainName];

/** Sets that are kept, of one bit for each CVE. */
const MAX_KEPT_SETS = 64;
/** Shorter names are too unspecific to be suggested. */
const MIN_NAME_LENGTH = 3;

export interface PostingQuery {
  kinds: readonly number[];
  product: string | null;
  vendor: string | null;
}

/** Reads lists of ordinals (ascending) from the catalog. */
export class PostingReader {
  readonly #size: number;
  readonly #byName;
  readonly #byProduct;
  readonly #byVendor;
  readonly #byPrefix;
  readonly #countsByPrefix;
  readonly #sets = createLruCache<string, OrdinalSet>(MAX_KEPT_SETS);

  /** `size`: number of CVEs. */
  constructor(db: DatabaseSync, size: number) {
    this.#size = size;
    // The kind is in the indexes: lists of other kinds are not read.
    const lists = 'SELECT cves FROM posting WHERE (1 << kind) & ?';
    this.#byName = db.prepare(`${lists} AND product = ? AND vendor = ?`);
    this.#byProduct = db.prepare(`${lists} AND product = ?`);
    this.#byVendor = db.prepare(`${lists} AND vendor = ?`);
    this.#countsByPrefix = db.prepare(
      `SELECT product, sum(length(cves)) / 4 AS cves FROM posting WHERE kind IN (${AFFECTED_KINDS.join(', ')})
       AND product >= ? AND product < ? GROUP BY product`,
    );
    this.#byPrefix = db.prepare(
      `SELECT product FROM posting WHERE kind IN (${AFFECTED_KINDS.join(', ')}) AND product >= ? AND product < ?
       GROUP BY product ORDER BY sum(length(cves)) DESC LIMIT ?`,
    );
  }

  /** Affected products whose names begin with this one, those with most CVEs first; else the longest one that this name begins with. */
  productsSharingPrefix(cpeProduct: string, limit: number): string[] {
    const longer = this.#productsStartingWith(cpeProduct, limit);
    if (longer.length > 0) return longer;
    for (let length = cpeProduct.length - 1; length >= MIN_NAME_LENGTH; length--) {
      const shorter = cpeProduct.slice(0, length);
      if (this.lists({ kinds: AFFECTED_KINDS, product: shorter, vendor: null }).length > 0) return [shorter];
    }
    return [];
  }

  #productsStartingWith(start: string, limit: number): string[] {
    return this.#byPrefix.all(start, `${start}\u{10ffff}`, limit).map((row) => String(row['product']));
  }

  /** Affected products whose names begin with this text, with how many CVEs name each; a pass over all of these names. */
  productNamesStartingWith(start: string): { product: string; cves: number }[] {
    return this.#countsByPrefix
      .all(start, `${start}\u{10ffff}`)
      .map((row) => ({ product: String(row['product']), cves: Number(row['cves']) }));
  }

  /** Ordinals of the CVEs that have a row of one of these kinds with this product, this vendor, or both. */
  find(query: PostingQuery): Uint32Array {
    return union(this.lists(query));
  }

  /**
   * What any of the queries finds, of `size` CVEs, as a set of the caller's own. The sets asked for last are kept: one page asks about the
   * same product or vendor several times.
   */
  setOf(size: number, queries: readonly PostingQuery[]): OrdinalSet {
    const key = JSON.stringify(queries.map(({ kinds, product, vendor }) => [kinds, product, vendor]));
    let set = this.#sets.get(key);
    if (set === undefined) {
      set = OrdinalSet.of(
        size,
        queries.flatMap((query) => this.lists(query)),
      );
      this.#sets.set(key, set);
    }
    return set.copy();
  }

  /** The same as `find` in several lists, each ascending. */
  lists({ kinds, product, vendor }: PostingQuery): Uint32Array[] {
    const ofKinds = kinds.reduce((bits, kind) => bits | (1 << kind), 0);
    const rows =
      product === null
        ? this.#byVendor.all(ofKinds, vendor ?? '')
        : vendor === null
          ? this.#byProduct.all(ofKinds, product)
          : this.#byName.all(ofKinds, product, vendor);
    return (rows as { cves: Uint8Array<ArrayBuffer> }[]).map(({ cves }) => postingOrdinals(cves, this.#size));
  }
}

/** The ordinals of all lists, ascending. */
export function union(lists: readonly Uint32Array[]): Uint32Array {
  if (lists.length <= 1) return lists[0] ?? new Uint32Array();
  const all = new Uint32Array(lists.reduce((length, list) => length + list.length, 0));
  let offset = 0;
  for (const list of lists) {
    all.set(list, offset);
    offset += list.length;
  }
  all.sort();
  let kept = 0;
  for (let index = 0; index < all.length; index++) {
    if (index === 0 || all[index] !== all[index - 1]) all[kept++] = all[index]!;
  }
  return all.subarray(0, kept);
}
