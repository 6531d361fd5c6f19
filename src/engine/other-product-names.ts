import type { Subject } from '../analysis/affected/subject.ts';
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
