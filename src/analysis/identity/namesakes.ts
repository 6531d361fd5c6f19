import { areVendorsRelated, nameKey, vendorKey } from './names.ts';
import { productKeys, productOf, type ProductPair, vendorOf, wordsOf } from './product-pair.ts';

/** Pairs by a key of their product name; only keys that several pairs have, few of all. */
export type Namesakes = ReadonlyMap<string, readonly ProductPair[]>;

/**
 * A name is a product's own as far as few other vendors have one of its words in a product name. A vendor that is called as the
 * product was made up for it: `ec-cube:ec-cube`, `modal_dialog_project:modal_dialog`.
 */
const MAX_OTHERS_WITH_WORD = { oneWord: 0, moreWords: 3, vendorOfProduct: 8, threeProducts: 1 };
/**
 * Vendors are one company, or followed each other, if they have so many product names in common, and that part of the smaller one's.
 * Names count that have a word of few vendors: a few common names say less than two rare ones.
 */
const SUCCESSION = [
  { names: 2, share: 0.3, maxVendorsOfWord: 6 },
  { names: 3, share: 0.1, maxVendorsOfWord: 10 },
];
/** More vendors of a name of one word may have found it by chance. */
const MAX_VENDORS_OF_WORD = 3;
/** Vendors of devices use the same ones. */
const MODEL_NUMBER = /\d/;
/** More vendors of one name are no succession. */
const MAX_VENDORS_OF_NAME = 4;

/** @param withBareNames - also under the names without their vendor, which only tells of one vendor's products */
export function namesakesIn(pairs: Iterable<ProductPair>, withBareNames: boolean): Namesakes {
  const first = new Map<string, ProductPair>();
  const namesakes = new Map<string, ProductPair[]>();
  for (const pair of pairs) {
    const keys = productKeys(pair);
    for (const key of withBareNames || vendorOf(pair) === '' ? keys : keys.slice(0, 1)) {
      const known = first.get(key!);
      const all = namesakes.get(key!);
      if (all !== undefined) all.push(pair);
      else if (known === undefined) first.set(key!, pair);
      else namesakes.set(key!, [known, pair]);
    }
  }
  return namesakes;
}

/** How far names distinguish products, by how many vendors use their words. */
export class NameWords {
  readonly #vendorsOf = new Map<string, Set<string>>();

  constructor(pairs: Iterable<ProductPair>) {
    for (const pair of pairs) {
      const vendor = nameKey(vendorOf(pair));
      for (const word of wordsOf(pair)) {
        const vendors = this.#vendorsOf.get(word);
        if (vendors === undefined) this.#vendorsOf.set(word, new Set([vendor]));
        else vendors.add(vendor);
      }
    }
  }

  /**
   * Whether pairs of one name have a word in it, however they spell it, that hardly another vendor uses.
   * @param products - how many products they are as far as known
   * @param host - what they are made for: extensions of one host have names of their own
   */
  areOwn(pairs: readonly ProductPair[], products: number, host: string | undefined): boolean {
    const isOneWord = pairs.some((pair) => wordsOf(pair).length === 1);
    const hasOwnVendor = pairs.some((pair) => vendorKey(vendorOf(pair)) === productKeys(pair)[0]);
    if (isOneWord && (!hasOwnVendor || pairs.some((pair) => MODEL_NUMBER.test(productOf(pair))))) return false;
    if (products > 3 || (products === 3 && isOneWord)) return false;
    if (hasOwnVendor && !isOneWord && products === 2 && host !== undefined) return true;
    const { oneWord, moreWords, vendorOfProduct, threeProducts } = MAX_OTHERS_WITH_WORD;
    const ofTwo = hasOwnVendor || host !== undefined ? vendorOfProduct : moreWords;
    const others = isOneWord ? oneWord : products === 3 ? threeProducts : ofTwo;
    const vendors = new Set(pairs.map((pair) => nameKey(vendorOf(pair)))).size;
    if (isOneWord && vendors > MAX_VENDORS_OF_WORD) return false;
    return pairs.every((pair) => this.vendorsOfRarestWord(pair) <= vendors + others);
  }

  /** The number of vendors that use the rarest word of the name. */
  vendorsOfRarestWord(pair: ProductPair): number {
    return Math.min(...wordsOf(pair).map((word) => this.#vendorsOf.get(word)?.size ?? 0));
  }
}

/**
 * Vendors that are one by the products that they have in common, as `sun` and `oracle`, `f-secure` and `withsecure`.
 * @param areCompatible - whether two pairs of one name can be one product
 * @returns both orders of each two, as `a\tb`
 */
export function succeedingVendors(
  namesakes: Namesakes,
  pairs: Iterable<ProductPair>,
  words: NameWords,
  areCompatible: (a: ProductPair, b: ProductPair) => boolean,
): ReadonlySet<string> {
  const productCounts = new Map<string, number>();
  for (const pair of pairs) productCounts.set(vendorOf(pair), (productCounts.get(vendorOf(pair)) ?? 0) + 1);
  const common = new Map<string, number[]>();
  for (const same of namesakes.values()) {
    const vendors = new Set(same.map(vendorOf));
    if (vendors.size < 2 || vendors.size > MAX_VENDORS_OF_NAME) continue;
    const vendorsOfWord = words.vendorsOfRarestWord(same[0]!);
    const ofName = new Set<string>();
    for (const [a, b] of twoOf(same)) {
      if (vendorOf(a) === '' || vendorOf(b) === '' || vendorOf(a) === vendorOf(b) || !areCompatible(a, b)) continue;
      ofName.add([vendorOf(a), vendorOf(b)].sort().join('\t'));
    }
    for (const key of ofName) common.set(key, [...(common.get(key) ?? []), vendorsOfWord]);
  }
  const succeeding = new Set<string>();
  for (const [key, ofNames] of common) {
    const [a = '', b = ''] = key.split('\t');
    const smaller = Math.min(productCounts.get(a)!, productCounts.get(b)!);
    const isSuccession = SUCCESSION.some(({ names, share, maxVendorsOfWord }) => {
      const count = ofNames.filter((vendors) => vendors <= maxVendorsOfWord).length;
      return count >= names && count / smaller >= share;
    });
    if (isSuccession) succeeding.add(key).add(`${b}\t${a}`);
  }
  return succeeding;
}

/** Whether the vendors of two pairs are one by their names, or one of the succeeding ones. */
export function haveOneVendor(a: ProductPair, b: ProductPair, succeeding: ReadonlySet<string>): boolean {
  const [vendorA, vendorB] = [vendorOf(a), vendorOf(b)];
  return areVendorsRelated(vendorA, vendorB) || succeeding.has(`${vendorA}\t${vendorB}`);
}

/** All combinations of two. */
export function* twoOf<Item>(items: readonly Item[]): Generator<[Item, Item]> {
  for (const [at, a] of items.entries()) for (const b of items.slice(at + 1)) yield [a, b];
}
