import type { z } from 'zod';
import { packageLabel } from '../../../analysis/packages/package-ref.ts';
import { type ProductReading, readProductWords } from '../../../analysis/product-words.ts';
import type { Operation } from '../../../engine/operation.ts';
import { productLookup } from '../product-lookup.ts';
import type { ProductCandidate, ProductMeaning } from './product-candidates.ts';

/** Asks the catalog; null: there is no answer. */
export type TryAsk = <In extends z.ZodObject, Out extends z.ZodObject>(
  operation: Operation<In, Out>,
  input: z.input<In>,
) => Promise<{ answer: z.output<Out> | null }>;

/** A product as CVEs name it. */
interface NamedProduct {
  readonly vendor: string;
  readonly product: string;
}

/** What words name: a product with its version or a package by its package URL, and the CVEs that are asked about. */
export type NamedSubject = NamedThing | NamedChoice;

type About = { readonly cveIds: readonly string[] };
type NamedThing = About & ((NamedProduct & { readonly version: string | null }) | { readonly purl: string });

/** Several products have the name, none of them far more CVEs than the others. */
export type NamedChoice = About & {
  /** As it was written. */
  readonly name: string;
  readonly version: string | null;
  /** Likeliest first. */
  readonly choices: readonly (NamedThing & { readonly candidate: ProductCandidate })[];
};

/** An input field of operations holds no longer name. */
const MAX_NAME_LENGTH = 100;

/** The product or package that words name with its version or beside CVE ids, or the choice of them; null: none that is known. */
export async function findNamedSubject(words: string, tryAsk: TryAsk): Promise<NamedSubject | null> {
  const { cveIds, readings } = readProductWords(words);
  let choice: NamedChoice | null = null;
  for (const { name, version } of readings) {
    const { candidates, meant } = await findProduct(name, tryAsk);
    if (meant !== null) return named(meant, version, cveIds);
    if (candidates.length > 0) choice ??= choiceOf({ name, version }, candidates, cveIds);
  }
  return choice;
}

/** What a name such as `log4j`, `apache log4j` or `postgres` may mean. */
async function findProduct(name: string, tryAsk: TryAsk): Promise<ProductMeaning> {
  if (name.length < 2 || name.length > MAX_NAME_LENGTH) return { candidates: [], meant: null };
  const [first = '', ...rest] = name.split(/\s+/);
  const { answer } = await tryAsk(productLookup, {
    vendor: first,
    product: rest.length === 0 ? first : rest.join(' '),
  });
  return answer ?? { candidates: [], meant: null };
}

function choiceOf(
  reading: ProductReading,
  candidates: readonly ProductCandidate[],
  cveIds: readonly string[],
): NamedChoice {
  const choices = candidates.map((candidate) => ({ ...named(candidate, reading.version, cveIds), candidate }));
  return { ...reading, cveIds, choices };
}

function named(candidate: ProductCandidate, version: string | null, cveIds: readonly string[]): NamedThing {
  const { vendor, product, ecosystem } = candidate;
  return vendor === null
    ? { purl: packageLabel({ name: product, version: version ?? '', ecosystem }), cveIds }
    : { vendor, product, version, cveIds };
}
