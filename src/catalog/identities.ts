import type { DatabaseSync } from 'node:sqlite';
import { nameKey } from '../analysis/identity/names.ts';

/** A product as CPE names it, in the form of `normalizeCpeToken`. */
export interface ProductName {
  vendor: string;
  product: string;
}

/** Reads which CPE names denote one product. */
export class IdentityReader {
  readonly #identityOf;
  readonly #members;
  readonly #byAlias;

  constructor(db: DatabaseSync) {
    this.#identityOf = db.prepare('SELECT identity FROM product_identity WHERE vendor = ? AND product = ?');
    this.#members = db.prepare(
      'SELECT vendor, product FROM product_identity WHERE identity = ? ORDER BY vendor, product',
    );
    this.#byAlias = db.prepare('SELECT identity FROM product_alias WHERE alias = ? ORDER BY identity');
  }

  /** All names of the product with this name, which comes first. */
  sameProduct({ vendor, product }: ProductName): ProductName[] {
    const row = this.#identityOf.get(vendor, product) as { identity: string } | undefined;
    const members = row === undefined ? [] : (this.#members.all(row.identity) as unknown as ProductName[]);
    return [{ vendor, product }, ...members.filter((one) => one.vendor !== vendor || one.product !== product)];
  }

  /** The main names of the products that are also called so: `log4j2`; none for the name of a CPE product. */
  productsCalled(name: string): ProductName[] {
    const rows = this.#byAlias.all(nameKey(name)) as { identity: string }[];
    return rows.map(({ identity }) => {
      const colon = identity.indexOf(':');
      return { vendor: identity.slice(0, colon), product: identity.slice(colon + 1) };
    });
  }
}
