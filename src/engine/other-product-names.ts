import type { Subject } from '../analysis/affected/subject.ts';
import { findDistribution } from '../analysis/packages/distributions.ts';
import type { CatalogView } from '../catalog/catalog-view.ts';

/**
 * The subject under each CPE name of its product: the given one first. Only a subject with a vendor has other names, because a
 * product name alone may be that of several products.
 */
export function withOtherNames(subject: Subject, catalog: Pick<CatalogView, 'sameProduct'>): Subject[] {
  const { names } = subject;
  if (names === null || names.vendor === null) return [subject];
  const { vendor } = names;
  const pairs = names.tokens.flatMap((product) => catalog.sameProduct({ vendor, product }));
  const distinct = new Map(pairs.map((pair) => [`${pair.vendor}:${pair.product}`, pair]));
  return [...distinct.values()].map((pair) => ({
    ...subject,
    names: { ...names, vendor: pair.vendor, tokens: [pair.product] },
  }));
}

/**
 * A package under the CPE names that purl2cpe has for its package URL: less certain than the package's own advisories. None for
 * packages of distributions, whose versions are not those of the product.
 */
export function underNamesOfPurl(subject: Subject, catalog: Pick<CatalogView, 'productsOfPurl'>): Subject[] {
  const { purl, ecosystem } = subject;
  if (purl === null || ecosystem === null || findDistribution(ecosystem.name) !== null) return [];
  return catalog.productsOfPurl(purl).map(({ vendor, product }) => ({
    ...subject,
    names: { tokens: [product], vendor, part: 'a', targetSoftware: null },
  }));
}
