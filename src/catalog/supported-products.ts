import type { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { SupportedProduct } from '../analysis/support/find-support.ts';

export type ProductIdKind = 'purl' | 'cpe' | 'name';

/** Identifiers whose products are kept: the rows of CVEs name the same few products again and again. */
const MAX_KEPT = 64;
const PRODUCTS =
  "FROM document_link l JOIN document d USING (number) WHERE l.kind = ? AND d.catalog = 'endoflife_product'";

/** Reads products of endoflife.date by their identifiers. */
export class SupportedProductReader {
  readonly #identifiers;
  readonly #products;
  /** All identifiers of a kind, some thousand: most that are asked for are not among them. */
  readonly #known = new Map<ProductIdKind, ReadonlySet<string>>();
  readonly #kept = new LRUCache<string, readonly SupportedProduct[]>({ max: MAX_KEPT });

  constructor(db: DatabaseSync) {
    this.#identifiers = db.prepare(`SELECT DISTINCT l.value ${PRODUCTS}`);
    this.#products = db.prepare(`SELECT d.entry ${PRODUCTS} AND l.value = ?`);
  }

  /** The products with this identifier, in lower case; [] for most. */
  find(kind: ProductIdKind, value: string): readonly SupportedProduct[] {
    if (!this.#identifiersOf(kind).has(value)) return [];
    const key = `${kind} ${value}`;
    let products = this.#kept.get(key);
    if (products === undefined) {
      const rows = this.#products.all(kind, value) as { entry: string }[];
      products = rows.map(({ entry }) => JSON.parse(entry) as SupportedProduct);
      this.#kept.set(key, products);
    }
    return products;
  }

  #identifiersOf(kind: ProductIdKind): ReadonlySet<string> {
    let known = this.#known.get(kind);
    if (known === undefined) {
      known = new Set((this.#identifiers.all(kind) as { value: string }[]).map(({ value }) => value));
      this.#known.set(kind, known);
    }
    return known;
  }
}
