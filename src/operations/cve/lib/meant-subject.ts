import { normalizeCpeToken } from '../../../analysis/cve/cpe.ts';
import type { Subject, SubjectInput } from '../../../analysis/affected/subject.ts';
import { orderOfProduct } from '../../../analysis/versions/two-numberings.ts';
import { displayText } from '../../../analysis/display-text.ts';
import type { CatalogView } from '../../../catalog/catalog-view.ts';
import type { Context } from '../../../engine/context.ts';
import { candidateName, describeCandidates, findMeaning, type ProductMeaning } from './product-candidates.ts';

/** What a product that was given without a vendor may mean; null where the input says which one it is. */
export function meaningOfProduct(
  { names, ecosystem }: Subject,
  { product }: Pick<SubjectInput, 'product'>,
  catalog: CatalogView,
): ProductMeaning | null {
  if (product === undefined || names === null || names.vendor !== null || ecosystem !== null) return null;
  return findMeaning(product, catalog);
}

/** The product that the name means: `log4j2`, or `node`, which a rare product is called, too. A name of several stays as it is. */
export function asMeant(subject: Subject, meaning: ProductMeaning | null, evidence: Context['evidence']): Subject {
  if (meaning === null) return subject;
  const { names } = subject;
  const { meant, candidates } = meaning;
  if (meant === null && candidates.length > 1) {
    evidence.addGap(`several products have this name (${describeCandidates(candidates)}): give vendor and product`);
  }
  if (meant?.vendor == null || names === null || names.tokens.includes(meant.product)) return subject;
  const namesake = candidates.find(({ vendor, product }) => vendor !== null && names.tokens.includes(product));
  if (namesake !== undefined) {
    evidence.addGap(`taken for ${candidateName(meant)}; ${candidateName(namesake)} has the name, too: give vendor`);
  }
  const { vendor, product } = meant;
  return { ...subject, names: { ...names, vendor, tokens: [product] }, order: orderOfProduct(product) };
}

/** What the subject is called in a sentence: `log4j2 (apache log4j) 2.14.1`. */
export function subjectLabel(
  { product }: Pick<SubjectInput, 'product'>,
  { packageName, version, names }: Subject,
): string {
  const given = product ?? packageName ?? names?.tokens[0] ?? 'the product';
  const isTaken = product !== undefined && names?.vendor != null && !isSameName(product, names.tokens);
  const name = isTaken ? `${given} (${names.vendor} ${names.tokens[0]})` : given;
  return displayText([name, version].filter((part) => part !== null).join(' '), 100);
}

function isSameName(product: string, tokens: readonly string[]): boolean {
  return tokens.includes(normalizeCpeToken(product));
}
