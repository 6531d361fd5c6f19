import { createSubject, type Subject, type SubjectInput } from '../../../analysis/affected/subject.ts';
import { orderOfProduct } from '../../../analysis/versions/two-numberings.ts';
import type { CatalogView } from '../../../catalog/catalog-view.ts';
import type { Context } from '../../../engine/context.ts';
import { validationError } from '../../../engine/input/parse-input.ts';
import { type AffectedDeps, type AffectedJudgement, findAffected } from './find-affected.ts';
import { candidateName, describeCandidates, findMeaning, type ProductMeaning } from './product-candidates.ts';

/**
 * The one judgement of whether CVEs affect a product or package: of answers, and of watches. `cveIds` null: all that name it. Throws 422 for
 * what is no product, and for a version that its ecosystem does not have.
 */
export async function judgeSubject(
  input: SubjectInput,
  cveIds: readonly string[] | null,
  context: AffectedDeps,
): Promise<{ subject: Subject; meaning: ProductMeaning | null; judgement: AffectedJudgement }> {
  const given = subjectOrThrow(input);
  const meaning = meaningOf(given, input, context.catalog);
  const subject = asMeant(given, meaning, context.evidence);
  return { subject, meaning, judgement: await findAffected(subject, cveIds, context) };
}

function subjectOrThrow(input: SubjectInput): Subject {
  const subject = createSubject(input);
  if (!('problem' in subject)) return subject;
  throw validationError([{ loc: ['body', subject.field], msg: subject.problem, type: 'value_error' }]);
}

/** What a product that was given without a vendor may mean; null where the input says which one it is. */
function meaningOf(
  { names, ecosystem }: Subject,
  { product }: SubjectInput,
  catalog: CatalogView,
): ProductMeaning | null {
  if (product === undefined || names === null || names.vendor !== null || ecosystem !== null) return null;
  return findMeaning(product, catalog);
}

/** The product that the name means: `log4j2`, or `node`, which a rare product is called, too. A name of several stays as it is. */
function asMeant(subject: Subject, meaning: ProductMeaning | null, evidence: Context['evidence']): Subject {
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
