import { z } from 'zod';
import { cpeToken } from '../../analysis/cve/cpe.ts';
import type { CveQuery } from '../../catalog/search.ts';
import type { CatalogView } from '../../catalog/view.ts';
import { Refusal } from '../../errors.ts';
import { operation } from '../operation.ts';
import { CveListItem, Severity } from '../schemas/cve.ts';
import { CweId } from '../schemas/identifiers.ts';
import { include, listOutput, page, paging } from '../schemas/lists.ts';
import { counted, summarise } from '../summary.ts';
import { LIST_FALSIFIABLE, presentCveItem } from './present.ts';

const DAY_SECONDS = 86_400;
/** Names of products that a hint has. */
const SUGGESTED = 5;

/** A CPE vendor or product as people type it. */
const Token = z.string().min(2).max(100);

export const Day = z.iso.date({ error: 'a date that exists, as YYYY-MM-DD' });

const Query = z.strictObject({
  product: Token.optional().meta({
    description: 'CPE product, exact, in any case; `_` and space are one.',
    examples: ['log4j'],
  }),
  vendor: Token.optional().meta({
    description: 'CPE vendor; with product, both in the same row.',
    examples: ['apache'],
  }),
  severity: z
    .preprocess((value) => (typeof value === 'string' ? value.toUpperCase() : value), Severity)
    .optional()
    .meta({ description: 'CRITICAL, HIGH, MEDIUM or LOW, in either case.' }),
  published_after: Day.optional().meta({ description: 'YYYY-MM-DD (UTC), inclusive.' }),
  published_before: Day.optional().meta({ description: 'YYYY-MM-DD (UTC), inclusive.' }),
  days: z.number().int().min(1).max(3650).optional().meta({ description: 'Published within that many days.' }),
  kev: z.boolean().default(false).meta({ description: 'Only known-exploited ones.' }),
  epss_min: z.number().min(0).max(1).optional().meta({ description: 'EPSS probability of at least this, 0-1.' }),
  cvss_min: z.number().min(0).max(10).optional().meta({ description: 'CVSS v3; CVEs without one are left out.' }),
  cvss_max: z.number().min(0).max(10).optional().meta({ description: 'CVSS v3 of at most this.' }),
  cwe_id: CweId.optional().meta({ description: 'Only CVEs that name this weakness.' }),
  sort: z
    .enum(['epss_desc', 'cvss_desc', 'published_desc'])
    .default('published_desc')
    .meta({ description: 'Highest or newest first.' }),
  tagged: z
    .boolean()
    .default(false)
    .meta({ description: 'Also where the product is the platform or the target software.' }),
  include_rejected: z.boolean().default(false).meta({ description: 'Rejected CVEs too.' }),
  ...include,
  ...paging,
});
type Query = z.output<typeof Query>;

export const cveSearch = operation({
  id: 'cve_search',
  area: 'cve',
  title: 'CVE search',
  description:
    'CVEs by product, vendor, severity, dates, known-exploited mark, EPSS, CVSS and weakness. All filters must hold. Rejected CVEs are left out unless asked for.',
  route: 'GET /v1/cves',
  input: Query,
  output: listOutput('CveList', CveListItem),
  cost: 1,
  examples: [
    {
      title: 'Log4j, most likely exploited first',
      input: { product: 'log4j', vendor: 'apache', sort: 'epss_desc', limit: 5 },
    },
    { title: 'Known-exploited criticals', input: { kev: true, severity: 'CRITICAL', limit: 3 } },
  ],
  tool: {
    description:
      'Find CVEs by product, vendor, severity, date, EPSS, CVSS, CWE or known-exploited status; slim rows, paged. For one known id use cve_lookup; for CVEs newer than the NVD use cve_leading.',
    openWorld: false,
    defaults: { limit: 20 },
  },
  falsifiable: LIST_FALSIFIABLE,
  answer(query, { catalog, evidence, now }) {
    refuseContradictions(query);
    const { total, cves } = catalog.search(catalogQuery(query, now));
    return {
      ...page(
        cves.map((cve) => presentCveItem(cve, query.include === 'full', evidence)),
        total,
        query,
      ),
      summary: summarise(
        `${counted(total, 'CVE')} ${total === 1 ? 'matches' : 'match'}${total > cves.length ? `, ${cves.length} shown from ${query.offset}` : ''}.`,
        cves.length > 0 &&
          `First: ${cves
            .slice(0, 3)
            .map(({ cve_id }) => cve_id)
            .join(', ')}.`,
        hintOf(query, total, catalog, now),
      ),
    };
  },
});

/** Names that are near a product of which nothing is known, or how many CVEs name it as what the vulnerable product runs on. */
function hintOf(query: Query, total: number, catalog: CatalogView, now: Date): string | null {
  const { product, tagged } = query;
  if (product === undefined || tagged) return null;
  const more = catalog.search({ ...catalogQuery(query, now), tagged: true, limit: 0, offset: 0 }).total - total;
  if (more > 0) return `${counted(more, 'more CVE')} where it is the platform or the target software: tagged=true.`;
  const names = total === 0 ? catalog.productsLike(cpeToken(product), SUGGESTED) : [];
  return names.length === 0 || names.includes(cpeToken(product))
    ? null
    : `Products here with a name like that: ${names.join(', ')}.`;
}

function catalogQuery(query: Query, now: Date): CveQuery {
  const from = [
    query.published_after === undefined ? null : startOfDay(query.published_after),
    query.days === undefined ? null : Math.floor(now.getTime() / 1000) - query.days * DAY_SECONDS,
  ].filter((time) => time !== null);
  return {
    product: query.product === undefined ? undefined : cpeToken(query.product),
    vendor: query.vendor === undefined ? undefined : cpeToken(query.vendor),
    tagged: query.tagged,
    cweId: query.cwe_id,
    severity: query.severity,
    publishedFrom: from.length === 0 ? undefined : Math.max(...from),
    publishedTo:
      query.published_before === undefined ? undefined : startOfDay(query.published_before) + DAY_SECONDS - 1,
    kev: query.kev,
    epssMin: query.epss_min,
    cvssMin: query.cvss_min,
    cvssMax: query.cvss_max,
    includeRejected: query.include_rejected,
    sort: query.sort,
    limit: query.limit,
    offset: query.offset,
  };
}

function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}

/** A range that nothing can be in is a slip of the caller, not an empty answer. */
function refuseContradictions({ published_after, published_before, cvss_min, cvss_max }: Query): void {
  const refuse = (field: string, message: string): never => {
    const fault = { loc: ['query', field], msg: message, type: 'contradiction' };
    throw new Refusal('validation_error', `${field}: ${message}`, { faults: [fault] });
  };
  if (published_after !== undefined && published_before !== undefined && published_after > published_before) {
    refuse('published_after', `${published_after} is after published_before, ${published_before}`);
  }
  if (cvss_min !== undefined && cvss_max !== undefined && cvss_min > cvss_max) {
    refuse('cvss_min', `${cvss_min} is over cvss_max, ${cvss_max}`);
  }
}
