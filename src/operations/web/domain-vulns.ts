import { z } from 'zod';
import { catalogExtent, CatalogExtentField } from '../../engine/catalog-extent.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { SupportField } from '../../engine/product-support.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { lookUpSiteTechnologies, presentTechnologies, TechnologyRow } from './lib/detect-site-technologies.ts';
import { requireSite } from './lib/fetch-site.ts';
import { productsWithCpe, findProductCves, supportOfTechnology } from './lib/product-cves.ts';
import {
  productCveFields,
  productWithCvesSchema,
  presentProductCve,
  countMatchedCves,
  productCvesSummary,
} from './lib/present-product-cves.ts';

const MAX_SHOWN_CVES = 20;

export const domainVulns = defineOperation({
  id: 'domain_vulns',
  area: 'web',
  title: 'CVEs of the technologies of a site',
  description: `Technologies of a site and their CVEs by CPE name: of a detected version those whose ranges include it (${MAX_SHOWN_CVES} listed), of an unknown one the 5 riskiest of the product. Fixes that a distribution backports to an old version are not seen. 403 where robots.txt disallows this service.`,
  route: 'GET /v1/domain/:domain/vulns',
  input: z.strictObject({ domain: Domain }),
  output: lookupOutputSchema('DomainVulns', {
    domain: z.string(),
    technologies: z
      .array(
        TechnologyRow.extend({ support: SupportField, cves_looked_up: z.boolean() }).meta({
          id: 'SupportedTechnology',
        }),
      )
      .meta({ description: 'All that were detected, most certain first.' }),
    technologies_scanned: z.number().int().meta({ description: 'Those that the NVD has a CPE name for.' }),
    total_cves: z
      .number()
      .int()
      .meta({ description: 'That affect a detected version; unknown versions are not counted.' }),
    catalog: CatalogExtentField,
    vulnerabilities: z.array(productWithCvesSchema(productCveFields)),
  }),
  cost: 4,
  examples: [{ title: 'A site', input: { domain: 'example.com' } }],
  falsifiableFields: ['vulnerabilities[].version', 'vulnerabilities[].cves'],
  async answer({ domain }, context) {
    const snapshot = await requireSite(context, domain);
    const found = await lookUpSiteTechnologies(context, domain, snapshot);
    const products = productsWithCpe(found);
    const { rows, lookedUp } = await findProductCves(products, MAX_SHOWN_CVES, context);
    const extent = catalogExtent(context.catalog, context.now);
    return {
      domain,
      technologies: presentTechnologies(found, context).technologies.map((row) => ({
        ...row,
        support: supportOfTechnology(row, context),
        cves_looked_up: lookedUp.some(({ name }) => name === row.name),
      })),
      technologies_scanned: products.length,
      total_cves: countMatchedCves(rows),
      catalog: extent,
      vulnerabilities: rows.map((row) => ({ ...row, cves: row.cves.map((cve) => presentProductCve(cve, context)) })),
      summary: productCvesSummary(domain, products.length, rows, extent),
    };
  },
  nextCalls: ({ vulnerabilities }) => {
    const first = vulnerabilities[0]?.cves[0];
    return first === undefined
      ? []
      : [{ tool: 'cve_lookup', input: first.cve_id, reason: `The riskiest of ${vulnerabilities[0]!.technology}.` }];
  },
});
