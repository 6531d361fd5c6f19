import { z } from 'zod';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { formatCount, summarise } from '../../engine/summary.ts';
import { askDnsFacts, detectSite } from './lib/detect-site.ts';
import { lookAtSite, noteLook } from './lib/look-at-site.ts';
import { type ProductCves, productsOf, stackCves } from './lib/stack-cves.ts';

const SHOWN_CVES = 20;

/** A CVE of a product in short. */
export const stackCve = {
  cve_id: z.string(),
  severity: z.enum(['CRITICAL', 'HIGH', 'MEDIUM', 'LOW']).nullable(),
  cvss_v3: z.number().nullable(),
  epss_score: z.number().nullable(),
  in_kev: z.boolean().nullable(),
};

/** A product with its CVEs, of the given shape. */
export function stackProduct<Shape extends z.ZodRawShape>(cve: Shape) {
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
  description: `Technologies of a site and their CVEs by CPE name: of a detected version those whose ranges hold it (${SHOWN_CVES} listed), of an unknown one the 5 riskiest of the product. Fixes that a distribution carries back under an old version do not show. 403 where robots.txt keeps us out.`,
  route: 'GET /v1/domain/:domain/vulns',
  input: z.strictObject({ domain: Domain }),
  output: lookupOutputSchema('DomainVulns', {
    domain: z.string(),
    technologies_scanned: z.number().int().meta({ description: 'Those that the NVD has a name for.' }),
    total_cves: z
      .number()
      .int()
      .meta({ description: 'That hold a detected version; unknown versions are not counted.' }),
    vulnerabilities: z.array(stackProduct(stackCve)),
  }),
  cost: 4,
  examples: [{ title: 'A site', input: { domain: 'example.com' } }],
  falsifiableFields: ['vulnerabilities[].version', 'vulnerabilities[].cves'],
  async answer({ domain }, context) {
    const look = await lookAtSite(context, domain);
    noteLook(context, look);
    const products = productsOf(detectSite(look, await askDnsFacts(context, domain, look)));
    const rows = await stackCves(products, SHOWN_CVES, context);
    return {
      domain,
      technologies_scanned: products.length,
      total_cves: totalOf(rows),
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
      summary: summaryOf(domain, products.length, rows),
    };
  },
  nextCalls: ({ vulnerabilities }) => {
    const first = vulnerabilities[0]?.cves[0];
    return first === undefined
      ? []
      : [{ tool: 'cve_lookup', input: first.cve_id, reason: `The riskiest of ${vulnerabilities[0]!.technology}.` }];
  },
});

/** CVEs that hold a version that was detected. */
export function totalOf(rows: readonly ProductCves[]): number {
  return rows.reduce((sum, row) => sum + (row.version_unknown ? 0 : row.cve_count), 0);
}

export function summaryOf(domain: string, products: number, rows: readonly ProductCves[]): string {
  if (products === 0) return summarise(`${domain}: no technology shows that CVEs could be looked up for.`);
  const held = rows.filter((row) => !row.version_unknown);
  const exploited = held.flatMap(({ cves }) => cves).filter(({ in_kev }) => in_kev === true).length;
  const worst = held[0];
  const unknown = rows.length - held.length;
  return summarise(
    held.length === 0
      ? `${domain}: no CVE is known to hold a detected version (${formatCount(products, 'product')} looked up).`
      : `${domain}: ${formatCount(totalOf(rows), 'CVE')} of the detected versions of ${held.map(({ technology, version }) => `${technology} ${version}`).join(', ')}.`,
    exploited > 0 && `${exploited} known to be exploited.`,
    worst !== undefined && `First: ${worst.cves[0]!.cve_id} in ${worst.technology}.`,
    unknown > 0 && `${formatCount(unknown, 'product')} with CVEs, but no version to judge by.`,
  );
}
