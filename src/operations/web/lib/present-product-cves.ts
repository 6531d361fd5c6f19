import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { SEVERITIES } from '../../../analysis/severity.ts';
import { SupportField } from '../../../engine/product-support.ts';
import { Action, assessPriority } from '../../cve/lib/assess-priority.ts';
import type { CveRiskSummary } from '../../cve/lib/cve-risk-summary.ts';
import { type CatalogExtent, describeExtent } from '../../../engine/catalog-extent.ts';
import type { Context } from '../../../engine/context.ts';
import { formatCount, joinSummary } from '../../../engine/summary.ts';
import type { ProductCves } from './product-cves.ts';

/** A CVE of a product in short. */
export const productCveFields = {
  cve_id: z.string(),
  severity: z.enum(SEVERITIES).nullable(),
  cvss_v3: z.number().nullable(),
  epss_score: z.number().nullable(),
  in_kev: z.boolean().nullable(),
  action: Action.nullable(),
};

/** A product with its CVEs, of the given shape. */
export function productWithCvesSchema<Shape extends z.ZodRawShape>(cve: Shape) {
  return z.object({
    technology: z.string(),
    version: ForeignText.nullable(),
    version_unknown: z
      .boolean()
      .meta({ description: 'Then cve_count is of any version, and cves has the 5 riskiest.' }),
    cve_count: z.number().int(),
    cves: z.array(z.object(cve)).meta({ description: 'Riskiest first.' }),
    support: SupportField,
    undecided_count: z.number().int().meta({ description: 'CVEs that name it, of which it cannot be told.' }),
    undecided: z.array(z.object({ cve_id: z.string(), reason: ForeignText })),
    update: z
      .object({
        version: ForeignText,
        fixes: z.number().int(),
        still_affected: z.number().int().meta({ description: 'CVEs known to affect that version itself.' }),
      })
      .nullable()
      .meta({
        description:
          'The smallest version that ends all of its CVEs with a known fix, as affected_check finds it, and how many it ends.',
      }),
  });
}

/** Number of CVEs whose ranges include a detected version. */
export function countMatchedCves(rows: readonly ProductCves[]): number {
  return rows.reduce((sum, row) => sum + (row.version_unknown ? 0 : row.cve_count), 0);
}

/** How many CVEs concern detected versions, and the riskiest of them. `products`: number of products looked up. */
export function productCvesSummary(
  domain: string,
  products: number,
  rows: readonly ProductCves[],
  extent: CatalogExtent,
): string {
  if (products === 0) return joinSummary(`${domain}: no technology was detected that CVEs can be looked up for.`);
  const withVersion = rows.filter((row) => !row.version_unknown && row.cve_count > 0);
  const undecided = rows.reduce((sum, row) => sum + row.undecided_count, 0);
  const exploited = withVersion.flatMap(({ cves }) => cves).filter(({ in_kev }) => in_kev === true).length;
  const worst = withVersion[0];
  const unknown = rows.filter((row) => row.version_unknown).length;
  return joinSummary(
    withVersion.length === 0
      ? `${domain}: ${formatCount(products, 'product')} looked up; no CVE of a detected version in ${describeExtent(extent)}.`
      : `${domain}: ${formatCount(countMatchedCves(rows), 'CVE')} of the detected versions of ${withVersion.map(({ technology, version }) => `${technology} ${version}`).join(', ')}.`,
    exploited > 0 && `${exploited} known to be exploited.`,
    worst !== undefined && `First: ${worst.cves[0]!.cve_id} in ${worst.technology}.`,
    undecided > 0 && `${formatCount(undecided, 'CVE')} cannot be told: see undecided.`,
    unknown > 0 && `${formatCount(unknown, 'product')} with CVEs, but of unknown version.`,
  );
}

/** The fields of `productCveFields`. The product is exposed: it was detected on a site of the internet. */
export function presentProductCve(
  { cve_id, severity, cvss_v3, epss_score, in_kev }: CveRiskSummary,
  { catalog, now }: Pick<Context, 'catalog' | 'now'>,
) {
  const dossier = catalog.cve(cve_id);
  const action = dossier === null ? null : assessPriority(dossier, catalog, now, true).action;
  return { cve_id, severity, cvss_v3, epss_score, in_kev, action };
}
