import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { normalizeCpeToken } from '../analysis/cve/cpe.ts';
import { areVendorsRelated, nameKey } from '../analysis/identity/names.ts';
import { AFFECTED_KINDS } from './postings.ts';

/** A product as CPE names it, in the form of `normalizeCpeToken`. */
export interface ProductName {
  vendor: string;
  product: string;
}

/** Two initials stand for too many names. */
const MIN_INITIALS = 3;

/** Reads which CPE names denote one product. */
export class IdentityReader {
  readonly #identityOf;
  readonly #members;
  readonly #byAlias;
  readonly #byPurl;
  readonly #namesOfProduct;
  readonly #namesOfVendor;
  readonly #purls;
  readonly #aliases;
  #purlsOfName: ReadonlyMap<string, string[]> | null = null;
  #aliasesOfIdentity: ReadonlyMap<string, string[]> | null = null;

  constructor(db: DatabaseSync) {
    this.#purls = db.prepare("SELECT vendor || ':' || product AS name, purl AS value FROM product_purl");
    this.#aliases = db.prepare('SELECT identity AS name, alias AS value FROM product_alias');
    this.#identityOf = db.prepare('SELECT identity FROM product_identity WHERE vendor = ? AND product = ?');
    this.#members = db.prepare(
      'SELECT vendor, product FROM product_identity WHERE identity = ? ORDER BY vendor, product',
    );
    this.#byPurl = db.prepare(
      'SELECT DISTINCT vendor, product FROM product_purl WHERE purl IN (?, ?) ORDER BY vendor, product',
    );
    this.#byAlias = db.prepare('SELECT identity FROM product_alias WHERE alias = ? ORDER BY identity');
    const names = `SELECT DISTINCT vendor, product FROM posting WHERE kind IN (${AFFECTED_KINDS.join(', ')})`;
    this.#namesOfProduct = db.prepare(`${names} AND product = ? ORDER BY vendor`);
    this.#namesOfVendor = db.prepare(`${names} AND vendor = ? ORDER BY product`);
  }

  /** The CPE names that purl2cpe has for a package URL as `purlIdentity` writes it. */
  productsOfPurl(purl: string): ProductName[] {
    // A scope is written either way.
    return this.#byPurl.all(purl, purl.replaceAll('@', '%40')) as unknown as ProductName[];
  }

  /** The package URLs that purl2cpe has for a CPE name: the inverse of `productsOfPurl`. All of them are read once, at the first question. */
  purlsOf({ vendor, product }: ProductName): readonly string[] {
    this.#purlsOfName ??= readLists(this.#purls);
    return this.#purlsOfName.get(`${vendor}:${product}`) ?? [];
  }

  /** What a product is also called, as `nameKey`: the inverse of `productsCalled`. */
  otherWordsFor(name: ProductName): string[] {
    this.#aliasesOfIdentity ??= readLists(this.#aliases);
    const main = this.#mainNameOf(name);
    const product = withoutFirmware(name.product);
    const initials = initialsOf(product);
    return [
      ...(this.#aliasesOfIdentity.get(`${main.vendor}:${main.product}`) ?? []),
      nameKey(`${name.vendor}${product}`),
      ...(initials.length < MIN_INITIALS ? [] : [nameKey(`${name.vendor}${initials}`)]),
    ];
  }

  /** All names of the product with this name, which comes first. */
  sameProduct({ vendor, product }: ProductName): ProductName[] {
    const row = this.#identityOf.get(vendor, product) as { identity: string } | undefined;
    const members = row === undefined ? [] : (this.#members.all(row.identity) as unknown as ProductName[]);
    return [{ vendor, product }, ...members.filter((one) => one.vendor !== vendor || one.product !== product)];
  }

  /** All names of the products that have this CPE product name, whichever their vendors. */
  namesOfProductsNamed(product: string): ProductName[] {
    const named = this.#namesOfProduct.all(product) as unknown as ProductName[];
    return distinctNames(named.flatMap((name) => this.sameProduct(name)));
  }

  /**
   * The main names of the products that are also called so: `log4j2`, `Kaseya VSA`, `Citrix ADC`; none for the name of a CPE product.
   */
  productsCalled(name: string): ProductName[] {
    const called = this.#byAliasOf(name);
    const product = normalizeCpeToken(name);
    if (called.length > 0 || this.#namesOfProduct.all(product).length > 0) return called;
    const words = product.split('_');
    for (let count = 1; count < words.length; count++) {
      const found = this.#ofVendor(words.slice(0, count), words.slice(count).join('_'));
      if (found.length > 0) return found;
    }
    return [];
  }

  /** The main names of the products that have exactly this CPE product name, one for each product. */
  productsNamed(product: string): ProductName[] {
    const named = this.#namesOfProduct.all(product) as unknown as ProductName[];
    return distinctNames(named.map((name) => this.#mainNameOf(name)));
  }

  /** The main names of the products of a CPE vendor. */
  productsOfVendor(vendor: string): ProductName[] {
    const named = this.#namesOfVendor.all(vendor) as unknown as ProductName[];
    return distinctNames(named.map((name) => this.#mainNameOf(name)));
  }

  /** Products of the same vendor whose names hold this one as a word (`protobuf-java`), and that are not known to be the same product. */
  productsContinuing({ vendor, product }: ProductName): ProductName[] {
    const same = new Set(this.sameProduct({ vendor, product }).map((name) => name.product));
    const names = this.#namesOfVendor.all(vendor) as unknown as ProductName[];
    return names.filter((name) => !same.has(name.product) && isWordOf(product, name.product));
  }

  #byAliasOf(name: string): ProductName[] {
    return (this.#byAlias.all(nameKey(name)) as { identity: string }[]).map(({ identity }) => readPair(identity));
  }

  /** What is called so among the products of one vendor: by its name, by its initials, by another name. */
  #ofVendor(vendorWords: readonly string[], name: string): ProductName[] {
    const spellings = [...new Set([vendorWords.join('_'), vendorWords.join('')])];
    const names = spellings.flatMap((vendor) => this.#namesOfVendor.all(vendor) as unknown as ProductName[]);
    const [ofName, ofInitials] = [
      names.filter(({ product }) => withoutFirmware(product) === name),
      names.filter(({ product }) => name.length >= MIN_INITIALS && initialsOf(withoutFirmware(product)) === name),
    ];
    const found = (ofName.length > 0 ? ofName : ofInitials).map((one) => this.#mainNameOf(one));
    const ofVendor = this.#byAliasOf(name).filter(({ vendor }) => areVendorsRelated(vendor, vendorWords.join('_')));
    return distinctNames([...found, ...ofVendor]);
  }

  #mainNameOf({ vendor, product }: ProductName): ProductName {
    const row = this.#identityOf.get(vendor, product) as { identity: string } | undefined;
    return row === undefined ? { vendor, product } : readPair(row.identity);
  }
}

function readLists(rows: StatementSync): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const { name, value } of rows.iterate() as Iterable<unknown> as Iterable<{ name: string; value: string }>) {
    const known = lists.get(name);
    if (known === undefined) lists.set(name, [value]);
    else known.push(value);
  }
  return lists;
}

function distinctNames(names: readonly ProductName[]): ProductName[] {
  return [...new Map(names.map((name) => [`${name.vendor}:${name.product}`, name])).values()];
}

function isWordOf(word: string, name: string): boolean {
  return (
    [`${word}-`, `${word}_`].some((start) => name.startsWith(start)) ||
    [`-${word}`, `_${word}`].some((end) => name.endsWith(end))
  );
}

function readPair(pair: string): ProductName {
  const colon = pair.indexOf(':');
  return { vendor: pair.slice(0, colon), product: pair.slice(colon + 1) };
}

/** People do not write the firmware of a device as such. */
function withoutFirmware(product: string): string {
  return product.replace(/_firmware$/, '');
}

/** `adc` of `application_delivery_controller`. */
function initialsOf(product: string): string {
  return product
    .split('_')
    .map((word) => word.slice(0, 1))
    .join('');
}
