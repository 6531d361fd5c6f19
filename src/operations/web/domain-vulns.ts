import { z } from 'zod';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { formatCount, summarise } from '../../engine/summary.ts';
import { lookUpDnsFacts, detectSiteTechnologies } from './lib/detect-site-technologies.ts';
import { requireSite, noteSiteGaps } from './lib/fetch-site.ts';
import { type ProductCves, productsWithCpe, findProductCves } from './lib/product-cves.ts';

const MAX_SHOWN_CVES = 20;

/** A CVE of a product in short. */
export const productCveFields = {
  cve_id: z.string(),
  severity: z.enum(['CRITICAL', 'HIGH', 'MEDIUM', 'LOW']).nullable(),
  cvss_v3: z.number().nullable(),
  epss_score: z.number().nullable(),
  in_kev: z.boolean().nullable(),
};

/** A product with its CVEs, of the given shape. */
export function productWithCvesSchema<Shape extends z.ZodRawShape>(cve: Shape) {
  return z.object({
    technology: z.string(),
    version: z.string().nullable(),
    version_unknown: z
      .boolean()
      .meta({ description: 'Then cve_count is of any version, and cves has the 5 riskiest.' }),
    cve_count: z.number().int(),
    cves: z.array(z.object(cve)).meta({ description: 'Riskiest first.' }),
  });
}

export const domainVulns = defineOperation({
  id: 'domain_vulns',
  area: 'web',
  title: 'CVEs of the technologies of a site',
  description: `Technologies of a site and their CVEs by CPE name: of a detected version those whose ranges hold it (${MAX_SHOWN_CVES} listed), of an unknown one the 5 riskiest of the product. Fixes that a distribution carries back under an old version do not show. 403 where robots.txt keeps us out.`,
  route: 'GET /v1/domain/:domain/vulns',
  input: z.strictObject({ domain: Domain }),
  output: lookupOutputSchema('DomainVulns', {
    domain: z.string(),
    technologies_scanned: z.number().int().meta({ description: 'Those that the NVD has a name for.' }),
    total_cves: z
      .number()
      .int()
      .meta({ description: 'That hold a detected version; unknown versions are not counted.' }),
    vulnerabilities: z.array(productWithCvesSchema(productCveFields)),
  }),
  cost: 4,
  examples: [{ title: 'A site', input: { domain: 'example.com' } }],
  falsifiableFields: ['vulnerabilities[].version', 'vulnerabilities[].cves'],
  async answer({ domain }, context) {
    const snapshot = await requireSite(context, domain);
    noteSiteGaps(context, snapshot);
    const products = productsWithCpe(detectSiteTechnologies(snapshot, await lookUpDnsFacts(context, domain, snapshot)));
    const rows = await findProductCves(products, MAX_SHOWN_CVES, context);
    return {
      domain,
      technologies_scanned: products.length,
      total_cves: countMatchedCves(rows),
      vulnerabilities: rows.map(({ cves, ...row }) => ({
        ...row,
        cves: cves.map(({ cve_id, severity, cvss_v3, epss_score, in_kev }) => ({
          cve_id,
          severity,
          cvss_v3,
          epss_score,
          in_kev,
        })),
      })),
      summary: productCvesSummary(domain, products.length, rows),
    };
  },
  nextCalls: ({ vulnerabilities }) => {
    const first = vulnerabilities[0]?.cves[0];
    return first === undefined
      ? []
      : [{ tool: 'cve_lookup', input: first.cve_id, reason: `The riskiest of ${vulnerabilities[0]!.technology}.` }];
  },
});

/** Number of CVEs whose ranges include a detected version. */
export function countMatchedCves(rows: readonly ProductCves[]): number {
  return rows.reduce((sum, row) => sum + (row.version_unknown ? 0 : row.cve_count), 0);
}

export function productCvesSummary(domain: string, products: number, rows: readonly ProductCves[]): string {
  if (products === 0) return summarise(`${domain}: no technology shows that CVEs could be looked up for.`);
  const withVersion = rows.filter((row) => !row.version_unknown);
  const exploited = withVersion.flatMap(({ cves }) => cves).filter(({ in_kev }) => in_kev === true).length;
  const worst = withVersion[0];
  const unknown = rows.length - withVersion.length;
  return summarise(
    withVersion.length === 0
      ? `${domain}: no CVE is known to hold a detected version (${formatCount(products, 'product')} looked up).`
      : `${domain}: ${formatCount(countMatchedCves(rows), 'CVE')} of the detected versions of ${withVersion.map(({ technology, version }) => `${technology} ${version}`).join(', ')}.`,
    exploited > 0 && `${exploited} known to be exploited.`,
    worst !== undefined && `First: ${worst.cves[0]!.cve_id} in ${worst.technology}.`,
    unknown > 0 && `${formatCount(unknown, 'product')} with CVEs, but no version to judge by.`,
  );
}
