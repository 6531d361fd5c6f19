import { z } from 'zod';
import { normalizeCpeToken, parseCpeLenient } from '../../analysis/cve/cpe.ts';
import { cleanText, displayLineOrNull, displayText } from '../../analysis/display-text.ts';
import { normalizeWebUrl } from '../../analysis/web-url.ts';
import type { DocumentEntry } from '../entries.ts';
import { type Feed, feedFile, FeedFormatError } from '../feed.ts';
import { firstIssue, parseRecords, parseUtcTime, readJson } from '../fields.ts';
import { openFirstExisting } from '../open-first-existing.ts';
import { gunzipIfPacked } from '../unpack.ts';
import type { SupportCycle, SupportedProduct } from '../../analysis/support/find-support.ts';

const PATH = 'api/v1/products/full';
const MIRRORED_PATHS = [`${PATH}.json.gz`, `${PATH}.json`, PATH];
const MAX_CYCLES = 2000;

const Day = z.iso.date().nullish().catch(null);
const Release = z.object({
  name: z.string().min(1).max(100),
  releaseDate: Day,
  isEol: z.boolean().nullish(),
  eolFrom: Day,
  eoesFrom: Day,
  latest: z.object({ name: z.string().nullish() }).nullish(),
});
const Product = z.object({
  name: z.string().min(1).max(100),
  label: z.string(),
  aliases: z.array(z.string()).default([]),
  identifiers: z.array(z.object({ type: z.string(), id: z.string().max(512) })).max(1000),
  links: z.object({ html: z.string().nullish() }).nullish(),
  releases: z.array(Release).max(MAX_CYCLES),
});
const Answer = z.object({
  schema_version: z.string().max(20),
  generated_at: z.string().nullish(),
  total: z.number().int(),
  result: z.array(z.unknown()).max(100_000),
});

/** endoflife.date: until when each cycle of a product is supported, with the CPE names and package URLs of the product. */
export const endoflifeFeed: Feed<'document'> = {
  id: 'endoflife',
  kind: 'document',
  title: 'endoflife.date support cycles',
  addresses: ['https://endoflife.date/'],
  folder: 'endoflife',
  everyHours: 24,
  maxBytes: 64 * 1024 * 1024,
  maxUnpackedBytes: 64 * 1024 * 1024,
  staleAfterDays: 14,
  async files(upstream) {
    const paths = upstream.layout === 'origin' ? [PATH] : MIRRORED_PATHS;
    return [feedFile('products', { open: (validator) => openFirstExisting(upstream, paths, validator) })];
  },
  async *parse(bytes, _file, reporter) {
    const document = await readJson(gunzipIfPacked(bytes, endoflifeFeed), endoflifeFeed.maxUnpackedBytes);
    const answer = Answer.safeParse(document);
    if (!answer.success) throw new FeedFormatError(`JSON, but not the products: ${firstIssue(answer.error)}`);
    reporter.setExpectedCount(answer.data.total);
    const time = parseUtcTime(answer.data.generated_at);
    if (time !== null) reporter.setDataTime(time);
    reporter.setNote('schema_version', answer.data.schema_version);
    const products = parseRecords(Product, answer.data.result, reporter, { what: 'product', idField: 'name' });
    yield products.map((product) => entryOf(supportedProduct(product)));
  },
};

function supportedProduct({ name, label, aliases, identifiers, links, releases }: z.output<typeof Product>) {
  const idsOf = (type: string) => identifiers.filter((one) => one.type === type).map(({ id }) => id);
  return {
    product: cleanText(name),
    label: displayText(label, 200),
    aliases: aliases.slice(0, 50).map((alias) => displayText(alias, 100)),
    url: links?.html == null ? null : normalizeWebUrl(links.html),
    purls: [...new Set(idsOf('purl').map((purl) => purl.toLowerCase()))],
    cpes: [...new Set(idsOf('cpe').flatMap(cpePair))],
    cycles: releases.map(cycleOf),
  } satisfies SupportedProduct;
}

/** `vendor:product`; nothing for a name that has neither. */
function cpePair(text: string): string[] {
  const name = parseCpeLenient(text);
  if (name === null || name.vendor === '' || name.product === '' || name.product === '*') return [];
  return [`${normalizeCpeToken(name.vendor)}:${normalizeCpeToken(name.product)}`];
}

function cycleOf({ name, releaseDate, isEol, eolFrom, eoesFrom, latest }: z.output<typeof Release>): SupportCycle {
  return {
    name: cleanText(name),
    released: releaseDate ?? null,
    ends_at: eolFrom ?? null,
    has_ended: isEol ?? null,
    extended_ends_at: eoesFrom ?? null,
    latest: displayLineOrNull(latest?.name, 100),
  };
}

function entryOf(product: SupportedProduct): DocumentEntry {
  return {
    collection: 'endoflife_product',
    id: product.product,
    title: [product.label, ...product.aliases].join('\n'),
    text: product.product,
    links: [
      ...[product.product, product.label, ...product.aliases].map((name) => ({
        kind: 'name',
        value: normalizeCpeToken(name),
      })),
      ...product.purls.map((value) => ({ kind: 'purl', value })),
      ...product.cpes.map((value) => ({ kind: 'cpe', value })),
    ],
    body: product,
  };
}
