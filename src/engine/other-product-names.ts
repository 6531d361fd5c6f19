import type { Subject } from '../analysis/affected/subject.ts';
import { findDistribution } from '../analysis/packages/distributions.ts';
import { ecosystemOfWord } from '../analysis/packages/ecosystems.ts';
import type { CatalogView } from '../catalog/catalog-view.ts';
import type { ProductName } from '../catalog/identities.ts';

type NameReader = Pick<CatalogView, 'sameProduct' | 'namesOfProductsNamed'>;

/**
 * The subject under each CPE name of its product: the given one first. Without a vendor it has other names only where all products of
 * its name are one product. A package has none without a vendor.
 */
export function withOtherNames(subject: Subject, catalog: NameReader): Subject[] {
  const { names, ecosystem } = subject;
  if (names === null || (names.vendor === null && ecosystem !== null)) return [subject];
  const { vendor, tokens } = names;
  const pairs =
    vendor === null
      ? namesOfOneProduct(tokens, catalog)
      : tokens.flatMap((product) => catalog.sameProduct({ vendor, product }));
  const distinct = new Map(pairs.map((pair) => [`${pair.vendor}:${pair.product}`, pair]));
  if (distinct.size === 0) return [subject];
  return [...distinct.values()].map((pair) => ({
    ...subject,
    names: { ...names, vendor: pair.vendor, tokens: [pair.product] },
  }));
}

/** All names of the one product with this name; empty if there are several or none. */
function namesOfOneProduct(tokens: readonly string[], catalog: NameReader): ProductName[] {
  const names = tokens.flatMap((token) => catalog.namesOfProductsNamed(token));
  const keyOf = ({ vendor, product }: ProductName): string => `${vendor}:${product}`;
  const ofFirst = new Set(names.slice(0, 1).flatMap((name) => catalog.sameProduct(name).map(keyOf)));
  return names.every((name) => ofFirst.has(keyOf(name))) ? names : [];
}

/**
 * A package under the CPE names that purl2cpe has for its package URL: less certain than the package's own advisories. Names that say
 * another language (`protobuf-java` of a Python package) are left out; the name without a language, beside such names, is shared. None
 * for packages of distributions, whose versions are not those of the product.
 */
export function underNamesOfPurl(subject: Subject, catalog: Pick<CatalogView, 'productsOfPurl'>): Subject[] {
  const { purl, ecosystem, packageName } = subject;
  if (purl === null || ecosystem === null || findDistribution(ecosystem.name) !== null) return [];
  const own = new Set(wordsOf(packageName ?? ''));
  const named = catalog.productsOfPurl(purl).map((name) => ({ ...name, ...splitLanguage(name.product) }));
  const shared = new Set(named.filter(({ word }) => word !== null).map(({ vendor, base }) => `${vendor}:${base}`));
  return named
    .filter(({ word }) => word === null || own.has(word) || ecosystemOfWord(word) === ecosystem.name)
    .map(({ vendor, product }) => ({
      ...subject,
      names: { tokens: [product], vendor, part: 'a', targetSoftware: null },
      ...(shared.has(`${vendor}:${product}`) && { isSharedName: true as const }),
    }));
}

function wordsOf(name: string): string[] {
  return name.toLowerCase().split(/[^a-z0-9+]+/);
}

/** A CPE product that ends with a language: `protobuf-java`, `protobuf-kotlin-lite`. `word` null: it names none. */
function splitLanguage(product: string): { base: string; word: string | null } {
  const [, base = product, word = null] = /^(.+?)[-_]([a-z+]+)(?:[-_]lite)?$/.exec(product) ?? [];
  return word === null || ecosystemOfWord(word) === undefined ? { base: product, word: null } : { base, word };
}
