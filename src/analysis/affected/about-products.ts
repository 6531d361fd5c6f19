import { rowProduct } from './match-product-row.ts';

/** How a row of a record matters to a judgement about some products. */
export const ROW = {
  /** Not at all. */
  other: 0,
  /** Its product has a longer or shorter name: it may show that the record knows two numberings. */
  similar: 1,
  /** It names one of the products. */
  named: 2,
} as const;
type RowRelation = (typeof ROW)[keyof typeof ROW];

/** Tells the rows of a record that matter to a judgement about some products, by texts alone: records of hardware makers have thousands of rows. */
export class AboutProducts {
  readonly #products: readonly string[];
  readonly #known = new Map<string, RowRelation>();

  /** `products`: in the form of `normalizeCpeToken`. */
  constructor(products: readonly string[]) {
    this.#products = products;
  }

  /** Of a row by its CPE name, and by its plain name, by which it is read, too. */
  relationOf(cpe: string | null, product: string | null): RowRelation {
    const relation = this.#relationOfToken(rowProduct(cpe, product));
    if (relation === ROW.named || cpe === null || product === null) return relation;
    const plain = this.#relationOfToken(rowProduct(null, product));
    return plain > relation ? plain : relation;
  }

  #relationOfToken(token: string): RowRelation {
    let relation = this.#known.get(token);
    if (relation === undefined) {
      relation = this.#products.includes(token)
        ? ROW.named
        : this.#products.some((one) => one.includes(token) || token.includes(one))
          ? ROW.similar
          : ROW.other;
      this.#known.set(token, relation);
    }
    return relation;
  }
}
