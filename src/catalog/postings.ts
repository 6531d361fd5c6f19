import type { DatabaseSync } from 'node:sqlite';
import { TOKEN_KINDS } from './product-tokens.ts';

/** A list of CVEs is stored for each `(kind, vendor, product)`; for a weakness it is `(weakness, '', 'CWE-79')`. */
export const POSTING_KINDS = { ...TOKEN_KINDS, weakness: 4 } as const;
/** Kinds of the products that a CVE affects, whether a source gives a CPE name or a plain one. */
export const AFFECTED_KINDS: readonly number[] = [POSTING_KINDS.affected, POSTING_KINDS.plainName];

/** Shorter names are too unspecific to be suggested. */
const MIN_NAME_LENGTH = 3;

export interface PostingQuery {
  kinds: readonly number[];
  product: string | null;
  vendor: string | null;
}

/** Reads lists of ordinals (ascending) from the catalog. */
export class PostingReader {
  readonly #byProduct;
  readonly #byVendor;
  readonly #byPrefix;

  constructor(db: DatabaseSync) {
    const columns = 'SELECT kind, vendor, cves FROM posting';
    this.#byProduct = db.prepare(`${columns} WHERE product = ?`);
    this.#byVendor = db.prepare(`${columns} WHERE vendor = ?`);
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
      if (this.#byProduct.all(shorter).some((row) => AFFECTED_KINDS.includes(Number(row['kind'])))) return [shorter];
    }
    return [];
  }

  #productsStartingWith(start: string, limit: number): string[] {
    return this.#byPrefix.all(start, `${start}\u{10ffff}`, limit).map((row) => String(row['product']));
  }

  /** Ordinals of the CVEs that have a row of one of these kinds with this product, this vendor, or both. */
  find({ kinds, product, vendor }: PostingQuery): Uint32Array {
    const rows = (product === null ? this.#byVendor.all(vendor ?? '') : this.#byProduct.all(product)) as {
      kind: number;
      vendor: string;
      cves: Uint8Array;
    }[];
    const lists = rows
      .filter((row) => kinds.includes(row.kind) && (vendor === null || row.vendor === vendor))
      .map(({ cves }) => new Uint32Array(new Uint8Array(cves).buffer));
    return union(lists);
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

/** The ordinals in both lists. Both must be ascending, as the result is. */
export function intersect(a: Uint32Array, b: Uint32Array): Uint32Array {
  const both = new Uint32Array(Math.min(a.length, b.length));
  let kept = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i]! < b[j]!) i++;
    else if (a[i]! > b[j]!) j++;
    else {
      both[kept++] = a[i]!;
      i++;
      j++;
    }
  }
  return both.subarray(0, kept);
}
