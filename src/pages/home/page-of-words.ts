import { findNamedSubject, type NamedChoice, type NamedSubject } from '../../operations/cve/lib/find-product.ts';
import { paths, withQuery } from '../links.ts';
import { readProductWords } from '../../analysis/product-words.ts';
import type { PageContext } from '../page.ts';

/**
 * Where words lead: a known product with its version to that version of it, beside a CVE to the question whether that CVE affects it,
 * others to the search. Null: several products have the name.
 */
export async function pageOfWords(words: string, context: PageContext): Promise<string | null> {
  const subject = await subjectOfWords(words, context);
  if (subject !== null) return 'choices' in subject ? null : pageOfSubject(subject);
  const { cveIds } = readProductWords(words);
  return cveIds.length === 1 ? paths.cve(cveIds[0]!) : withQuery('/search', { q: words });
}

/** The product and version that words name; null: none that CVEs know. */
export function subjectOfWords(words: string, context: PageContext): Promise<NamedSubject | null> {
  return findNamedSubject(words, (operation, input) => context.tryAskCatalog(operation, input));
}

/** The page about a product, package or version, or about one CVE in it. */
export function pageOfSubject(subject: Exclude<NamedSubject, NamedChoice>): string {
  const [cveId, ...others] = subject.cveIds;
  const isOne = cveId !== undefined && others.length === 0;
  if ('purl' in subject)
    return isOne
      ? `${withQuery(paths.cve(cveId), { purl: subject.purl })}#affected`
      : withQuery('/check', { purl: subject.purl });
  const { vendor, product, version } = subject;
  return isOne
    ? `${withQuery(paths.cve(cveId), { product: `${vendor}:${product}`, version })}#affected`
    : withQuery(paths.product(vendor, product), { version });
}
