import { DIFFERENT_PRODUCTS } from './known-identities.ts';
import type { ProductPair } from './product-pair.ts';

/** Disjoint sets of pairs: names of one product. Products that are known to be different are never joined. */
export class PairGroups {
  readonly #parents = new Map<ProductPair, ProductPair>();
  readonly #members = new Map<ProductPair, ProductPair[]>();
  readonly #enemies = new Map<ProductPair, ReadonlySet<ProductPair>>();

  constructor() {
    for (const { pairs } of DIFFERENT_PRODUCTS) {
      const [first = '', ...others] = pairs;
      this.#enemies.set(first, new Set(others));
    }
  }

  rootOf(pair: ProductPair): ProductPair {
    let root = pair;
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root)) root = parent;
    return root;
  }

  joinAll(pairs: readonly ProductPair[]): void {
    for (const other of pairs.slice(1)) this.join(pairs[0]!, other);
  }

  /** Does nothing where it would join two products that are known to be different. */
  join(a: ProductPair, b: ProductPair): void {
    const [rootA, rootB] = [this.rootOf(a), this.rootOf(b)];
    if (rootA === rootB) return;
    const [ofA, ofB] = [this.#members.get(rootA) ?? [rootA], this.#members.get(rootB) ?? [rootB]];
    if (this.#areDifferent(ofA, ofB) || this.#areDifferent(ofB, ofA)) return;
    this.#parents.set(rootB, rootA);
    this.#members.set(rootA, [...ofA, ...ofB]);
    this.#members.delete(rootB);
  }

  #areDifferent(some: readonly ProductPair[], others: readonly ProductPair[]): boolean {
    return some.some((pair) => {
      const enemies = this.#enemies.get(pair);
      return enemies !== undefined && others.some((other) => enemies.has(other));
    });
  }

  /** Of groups with more than one pair that CVEs name. */
  identities(pairs: ReadonlyMap<ProductPair, number>): Map<ProductPair, ProductPair> {
    const identityOf = new Map<ProductPair, ProductPair>();
    for (const members of this.#members.values()) {
      const known = members
        .filter((pair) => pairs.has(pair))
        .sort((a, b) => pairs.get(b)! - pairs.get(a)! || (a < b ? -1 : 1));
      // A pair without CVEs still leads to those that have some.
      if (known.length > 0) for (const pair of members) identityOf.set(pair, known[0]!);
    }
    return identityOf;
  }
}
