import { vendorsMeantBy } from '../../analysis/affected/match-product-row.ts';
import { type CpeName, normalizeCpeToken, parseCpe } from '../../analysis/cve/cpe.ts';
import type { CveProduct } from '../../analysis/cve/cve-facts.ts';
import type { FieldChange } from '../../analysis/cve/field-change.ts';
import { ecosystemOfWord, findEcosystem } from '../../analysis/packages/ecosystems.ts';
import { parsePurl } from '../../analysis/packages/package-ref.ts';
import {
  cveWatchKey,
  packageWatchKey,
  productWatchKey,
  vendorWatchKey,
  type WatchKey,
} from '../../analysis/watch/watch-keys.ts';
import type { CatalogView } from '../../catalog/catalog-view.ts';
import type { ProductName } from '../../catalog/identities.ts';

export type NameReader = Pick<
  CatalogView,
  | 'affectedFacts'
  | 'kev'
  | 'namesOfProductsNamed'
  | 'otherWordsFor'
  | 'packagesOfCve'
  | 'purlsOf'
  | 'sameProduct'
  | 'vexOfCve'
>;

/** Statements of makers on one CVE that are read for the products that they name. */
const MAX_STATEMENTS = 500;

/**
 * The keys of all watches that a CVE may concern: its id; the products of its records and of the known-exploited catalog under all their
 * names, with their vendors; the packages of its advisories, and those whose CPE names are among its products; what makers say of it (VEX).
 */
export function keysOfCve(cveId: string, catalog: NameReader, names: NameKeys): Set<WatchKey> {
  const keys = new Set<WatchKey>([cveWatchKey(cveId)]);
  const add = (found: Iterable<WatchKey>): void => {
    for (const key of found) keys.add(key);
  };
  const seen = new Set<string>();
  for (const { products } of catalog.affectedFacts(cveId)) {
    for (const row of products) {
      if (!row.vulnerable) continue;
      const name = row.cpe === null ? null : parseCpe(row.cpe);
      // Most rows of a long list are versions of one product.
      const id = `${name?.vendor} ${name?.product} ${name?.target_sw} ${row.vendor} ${row.product} ${row.ecosystem}`;
      if (seen.has(id)) continue;
      seen.add(id);
      if (name !== null) add(keysOfCpe(name, names));
      if (row.product !== null) add(keysOfPlainRow(row, names));
    }
  }
  const kev = catalog.kev(cveId);
  if (kev !== null) add(names.ofPlainName(normalizeCpeToken(kev.vendor_project), normalizeCpeToken(kev.product)));
  for (const { ecosystem, name } of catalog.packagesOfCve(cveId)) keys.add(packageWatchKey(ecosystem, name));
  for (const { purl, vendor, product } of catalog.vexOfCve(cveId, { limit: MAX_STATEMENTS, offset: 0 }).statements) {
    if (purl !== null) add(keysOfPurl(purl));
    else if (product !== null)
      add(productKeys(names.ofPlainName(normalizeCpeToken(vendor ?? ''), normalizeCpeToken(product))));
  }
  return keys;
}

/** The keys of what changes name that the CVE may not name any more, and of the packages whose fix changed. */
export function keysOfChange({ kind, field }: Pick<FieldChange, 'kind' | 'field'>, names: NameKeys): WatchKey[] {
  const colon = field.indexOf(':');
  if (colon === -1 || (kind !== 'product' && kind !== 'fix')) return [];
  const [owner, name] = [field.slice(0, colon), field.slice(colon + 1)];
  const ecosystem = findEcosystem(owner);
  if (ecosystem !== null) return [packageWatchKey(ecosystem.name, name)];
  return kind === 'product' ? [...names.ofPlainName(normalizeCpeToken(owner), normalizeCpeToken(name))] : [];
}

/** The keys of products by name, each name expanded once. */
export class NameKeys {
  readonly #catalog: NameReader;
  readonly #known = new Map<string, readonly WatchKey[]>();

  constructor(catalog: NameReader) {
    this.#catalog = catalog;
  }

  /** A product by its CPE name: under all names of it, its vendors, its package URLs. */
  ofProduct({ vendor, product }: ProductName): readonly WatchKey[] {
    return this.#once(`${vendor}:${product}`, () =>
      this.#catalog
        .sameProduct({ vendor, product })
        .flatMap((name) => [
          productWatchKey(name.vendor, name.product),
          productWatchKey(null, name.product),
          vendorWatchKey(name.vendor),
          ...this.#catalog.otherWordsFor(name).map((word) => productWatchKey(null, word)),
          ...this.#catalog.purlsOf(name).flatMap(keysOfPurl),
        ]),
    );
  }

  /** A product by plain words, as `isSameVendor` takes them: of each CPE vendor that they may mean; of any vendor where they name none. */
  ofPlainName(vendor: string, product: string): readonly WatchKey[] {
    return this.#once(`${vendor} ${product}`, () => {
      const vendors =
        vendor === '' ? this.#catalog.namesOfProductsNamed(product).map((name) => name.vendor) : vendorsMeantBy(vendor);
      const keys = [...new Set(vendors)].flatMap((one) => this.ofProduct({ vendor: one, product }));
      // Not the vendors that the words may mean: not all that are called `foundation`.
      const own = vendor === '' ? [] : this.ofProduct({ vendor, product }).filter(isVendorKey);
      return [productWatchKey(null, product), ...productKeys(keys), ...own];
    });
  }

  #once(name: string, make: () => WatchKey[]): readonly WatchKey[] {
    let keys = this.#known.get(name);
    if (keys === undefined) {
      keys = [...new Set(make())];
      this.#known.set(name, keys);
    }
    return keys;
  }
}

/** Without those of vendors: what a maker says of a CVE may be that it has nothing to do with his products. */
function productKeys(keys: readonly WatchKey[]): WatchKey[] {
  return keys.filter((key) => !isVendorKey(key));
}

function isVendorKey(key: WatchKey): boolean {
  return key.startsWith('vendor:');
}

function keysOfCpe({ vendor, product, target_sw }: CpeName, names: NameKeys): WatchKey[] {
  const token = normalizeCpeToken(product);
  const ecosystem = target_sw === null ? null : (ecosystemOfWord(target_sw) ?? null);
  return [
    ...names.ofProduct({ vendor: normalizeCpeToken(vendor), product: token }),
    ...(ecosystem === null ? [] : [packageWatchKey(ecosystem, token)]),
  ];
}

function keysOfPlainRow({ vendor, product, ecosystem }: CveProduct, names: NameKeys): WatchKey[] {
  return [
    ...names.ofPlainName(normalizeCpeToken(vendor ?? ''), normalizeCpeToken(product!)),
    ...(ecosystem === null ? [] : [packageWatchKey(findEcosystem(ecosystem)?.name ?? ecosystem, product!)]),
  ];
}

/** None where the package URL is of a type that cannot be checked. */
function keysOfPurl(purl: string): WatchKey[] {
  const { ecosystem, name, problem } = parsePurl(purl);
  return ecosystem === null || problem !== undefined ? [] : [packageWatchKey(ecosystem, name)];
}
