import type { DatabaseSync } from 'node:sqlite';
import { memoize } from '../analysis/memoize.ts';
import type { SupportedProduct } from '../analysis/support/find-support.ts';

export type ProductIdKind = 'purl' | 'cpe' | 'name';

/** Identifiers of a kind whose products are kept: the rows of CVEs name the same few products again and again. */
const MAX_KEPT = 64;
const PRODUCTS =
  "FROM document_link l JOIN document d USING (number) WHERE l.kind = ? AND d.catalog = 'endoflife_product'";

/** Reads products of endoflife.date by their identifiers. */
export class SupportedProductReader {
  readonly #identifiers;
  readonly #products;
  /** All identifiers of a kind, some thousand: most that are asked for are not among them. */
  readonly #known = new Map<ProductIdKind, ReadonlySet<string>>();
  readonly #kept: Record<ProductIdKind, (value: string) => readonly SupportedProduct[]>;

  constructor(db: DatabaseSync) {
    this.#identifiers = db.prepare(`SELECT DISTINCT l.value ${PRODUCTS}`);
    this.#products = db.prepare(`SELECT d.entry ${PRODUCTS} AND l.value = ?`);
    const kept = (kind: ProductIdKind) => memoize((value: string) => this.#read(kind, value), MAX_KEPT);
    this.#kept = { purl: kept('purl'), cpe: kept('cpe'), name: kept('name') };
  }

  /** The products with this identifier, in lower case; [] for most. */
  find(kind: ProductIdKind, value: string): readonly SupportedProduct[] {
    return this.#identifiersOf(kind).has(value) ? this.#kept[kind](value) : [];
  }

  #read(kind: ProductIdKind, value: string): SupportedProduct[] {
    const rows = this.#products.all(kind, value) as { entry: string }[];
    return rows.map(({ entry }) => JSON.parse(entry) as SupportedProduct);
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
