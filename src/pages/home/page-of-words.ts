import { splitProductVersion } from '../../analysis/recognize-text.ts';
import { cveSearch } from '../../operations/cve/cve-search.ts';
import { paths, withQuery } from '../links.ts';
import type { PageContext } from '../page.ts';

/** Where words lead: those that name a known product and a version to that version of it, others to the search. */
export async function pageOfWords(words: string, context: PageContext): Promise<string> {
  const split = splitProductVersion(words);
  const product = split === null ? null : await findProduct(split.name, context);
  return split === null || product === null
    ? withQuery('/search', { q: words })
    : withQuery(paths.product(product.vendor, product.product), { version: split.version });
}

/** The product of a name such as `log4j` or `apache log4j`; null: no CVE here names one. */
async function findProduct(name: string, context: PageContext): Promise<{ vendor: string; product: string } | null> {
  const [first = '', ...rest] = name.split(/\s+/);
  const candidates = rest.length === 0 ? [] : [{ vendor: first, product: rest.join(' ') }];
  for (const candidate of [...candidates, { product: name }]) {
    const input = { ...candidate, sort: 'epss_desc', include: 'full', limit: 1 } as const;
    const { answer } = await context.tryAskCatalog(cveSearch, input);
    const wanted = candidate.product.toLowerCase().replaceAll(/[\s_]+/g, '_');
    const found = answer?.results[0]?.affected_products?.find(({ product }) => product === wanted);
    if (found?.vendor != null && found.product !== null) return { vendor: found.vendor, product: found.product };
  }
  return null;
}
