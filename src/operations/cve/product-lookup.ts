import { z } from 'zod';
import { normalizeCpeToken } from '../../analysis/cve/cpe.ts';
import { displayText } from '../../analysis/display-text.ts';
import { supportOfCycle, type SupportedProduct } from '../../analysis/support/find-support.ts';
import type { CatalogView } from '../../catalog/catalog-view.ts';
import type { ProductName } from '../../catalog/identities.ts';
import { isFeedMissing } from '../../engine/not-found-error.ts';
import { defineOperation, lookupOutputSchema } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { CandidateField, describeCandidates, findMeaning, nearestProducts } from './lib/product-candidates.ts';

const MAX_NAMES = 50;
const MAX_CYCLES = 40;
const MAX_TEXT_CHARS = 100;
const NameField = z
  .string()
  .min(1)
  .max(100)
  .regex(/^\P{C}+$/u, { error: 'a name without control characters' });
const Name = z.object({ vendor: ForeignText, product: ForeignText });

export const productLookup = defineOperation({
  id: 'product_lookup',
  area: 'cve',
  title: 'Product',
  description:
    'The names of a product in CVE records, how many CVEs name it under each of them, and which of its releases still get security fixes, by endoflife.date.',
  route: 'GET /v1/products/:vendor/:product',
  input: z.strictObject({
    vendor: NameField.meta({ description: 'CPE vendor, in any case.', examples: ['apache'] }),
    product: NameField.meta({ description: 'CPE product; `_` and space are one.', examples: ['log4j'] }),
  }),
  output: lookupOutputSchema('Product', {
    vendor: ForeignText,
    product: ForeignText,
    cves: z.number().int().meta({ description: 'CVEs that name it under any of its names.' }),
    names: z
      .array(Name.extend({ cves: z.number().int() }))
      .meta({ description: 'All names of the product, most CVEs first.' }),
    called: z.array(Name).meta({ description: 'Products that are called so, where no CVE names one of this name.' }),
    candidates: z.array(CandidateField).meta({
      description: 'All that these words may mean, likeliest first: a rare namesake goes after what is named more.',
    }),
    meant: CandidateField.nullable().meta({
      description: 'The candidate that is named far more than the others; null: it is a choice, or there is none.',
    }),
    nearest: z
      .array(ForeignText)
      .meta({ description: 'Names of products that are spelled like this one, where there is no candidate.' }),
    support: z
      .array(
        z.object({
          product: ForeignText,
          label: ForeignText,
          url: ForeignText.nullable(),
          cycles: z.array(
            z.object({
              name: ForeignText,
              released: z.string().nullable(),
              is_supported: z.boolean().nullable().meta({ description: 'Null: the publisher does not say.' }),
              ends_at: z.string().nullable().meta({ description: 'Day of the last security fix.' }),
              latest: ForeignText.nullable(),
            }),
          ),
        }),
      )
      .meta({ description: 'Cycles of releases, newest first; empty where endoflife.date does not have the product.' }),
  }),
  cost: 1,
  examples: [{ title: 'Log4j', input: { vendor: 'apache', product: 'log4j' } }],
  falsifiableFields: ['cves', 'support[].cycles[].ends_at'],
  answer(input, { catalog, now, evidence }) {
    const name = { vendor: normalizeCpeToken(input.vendor), product: normalizeCpeToken(input.product) };
    const names = catalog.sameProduct(name);
    const cves = countCves(catalog, names);
    const counted = names
      .map((one) => ({ ...one, cves: countCves(catalog, [one]) }))
      .filter((one, at) => at === 0 || one.cves > 0)
      .sort((a, b) => b.cves - a.cves);
    const support = names.flatMap(({ vendor, product }) => catalog.supportedProducts('cpe', `${vendor}:${product}`));
    if (isFeedMissing(catalog, 'endoflife'))
      evidence.addGap('endoflife.date has not been synced: support is not known');
    const called = cves === 0 ? productsCalled(catalog, name) : [];
    const label = name.vendor === name.product ? name.product : `${name.vendor} ${name.product}`;
    const { candidates, meant } = findMeaning(label.replaceAll('_', ' '), catalog);
    const nearest = cves === 0 && candidates.length === 0 ? nearestProducts(label, catalog) : [];
    return {
      ...name,
      cves,
      names: counted.slice(0, MAX_NAMES),
      called,
      candidates,
      meant,
      nearest,
      support: [...new Map(support.map((one) => [one.product, presentSupport(one, now)])).values()],
      summary: joinSummary(
        `${formatCount(cves, 'CVE')} ${cves === 1 ? 'names' : 'name'} ${displayText(label, MAX_TEXT_CHARS)}${counted.length > 1 ? ` under ${counted.length} names` : ''}.`,
        called.length > 0 && `Called so: ${called.map(({ vendor, product }) => `${vendor}:${product}`).join(', ')}.`,
        cves === 0 && called.length === 0 && candidates.length > 0 && `It may mean: ${describeCandidates(candidates)}.`,
        nearest.length > 0 && `Names that are spelled like it: ${nearest.join(', ')}.`,
        support[0] !== undefined && describeSupport(presentSupport(support[0], now)),
      ),
    };
  },
});

function countCves(catalog: CatalogView, productNames: readonly ProductName[]): number {
  return catalog.search({ productNames, sort: 'published_desc', limit: 0, offset: 0 }).total;
}

function productsCalled(catalog: CatalogView, { vendor, product }: ProductName): ProductName[] {
  const called = [product, `${vendor} ${product}`].flatMap((text) => catalog.productsCalled(text));
  return [...new Map(called.map((one) => [`${one.vendor}:${one.product}`, one])).values()].slice(0, 5);
}

function presentSupport({ product, label, url, cycles }: SupportedProduct, now: Date) {
  return {
    product,
    label: displayText(label, MAX_TEXT_CHARS),
    url,
    cycles: cycles.slice(0, MAX_CYCLES).map((cycle) => ({
      name: displayText(cycle.name, MAX_TEXT_CHARS),
      released: cycle.released,
      is_supported: supportOfCycle(cycle, now),
      ends_at: cycle.ends_at,
      latest: cycle.latest,
    })),
  };
}

function describeSupport({ cycles }: ReturnType<typeof presentSupport>): string {
  const supported = cycles.filter(({ is_supported }) => is_supported === true).map(({ name }) => name);
  return supported.length === 0
    ? 'No release of it is known to get security fixes.'
    : `Releases with security fixes: ${supported.slice(0, 5).join(', ')}${supported.length > 5 ? ' and others' : ''}.`;
}
