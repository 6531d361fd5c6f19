import { z } from 'zod';
import { shownText } from '../../analysis/text.ts';
import type { Context } from '../context.ts';
import { ransomwareUse } from '../cve/kev-detail.ts';
import { lookupOutput, operation } from '../operation.ts';
import { Domain } from '../schemas/identifiers.ts';
import { askDnsFacts, detectSite } from './detect-site.ts';
import { stackCve, stackProduct, summaryOf, totalOf } from './domain-vulns.ts';
import { lookAtSite, noteLook } from './look-at-site.ts';
import { productsOf, stackCves } from './stack-cves.ts';

const SHOWN_CVES = 8;
const SHOWN_EXPLOITS = 3;

export const techStackCveAudit = operation({
  id: 'tech_stack_cve_audit',
  area: 'web',
  title: 'Technologies of a site, their CVEs and exploits',
  description: `What a site is made with and, for each product, its CVEs with detail from the known-exploited catalog and public exploits: of a detected version those whose ranges hold it (${SHOWN_CVES} listed), of an unknown one the 5 riskiest.`,
  route: null,
  input: z.strictObject({ domain: Domain }),
  output: lookupOutput('TechAudit', {
    domain: z.string(),
    technologies: z.array(z.object({ name: z.string(), category: z.string(), version: z.string().nullable() })),
    technologies_scanned: z.number().int(),
    total_cves: z.number().int().meta({ description: 'Of detected versions.' }),
    vulnerabilities: z.array(
      stackProduct({
        ...stackCve,
        kev: z
          .object({
            date_added: z.string(),
            due_date: z.string().nullable(),
            required_action: z.string(),
            known_ransomware_use: z.boolean().nullable(),
          })
          .nullable(),
        exploit_count: z.number().int().nullable(),
        exploits: z.array(z.object({ edb_id: z.number().int(), title: z.string(), verified: z.boolean() })),
      }),
    ),
  }),
  cost: 10,
  examples: [{ title: 'A site', input: { domain: 'example.com' } }],
  tool: {
    description:
      'In one call: technologies of a site, CVEs of their versions, known-exploited detail and public exploits. For technologies alone use tech_fingerprint.',
    openWorld: true,
  },
  falsifiable: ['technologies[].version', 'vulnerabilities[].cves'],
  async answer({ domain }, context) {
    const look = await lookAtSite(context, domain);
    noteLook(context, look);
    const found = detectSite(look, await askDnsFacts(context, domain, look));
    const products = productsOf(found);
    const rows = await stackCves(products, SHOWN_CVES, context);
    return {
      domain,
      technologies: found.map(({ name, category, version }) => ({ name, category, version })),
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
          ...exploitation(cve_id, context),
        })),
      })),
      summary: summaryOf(domain, products.length, rows),
    };
  },
  next: ({ vulnerabilities }) => {
    const first = vulnerabilities[0]?.cves[0];
    if (first === undefined) return [];
    return [{ tool: 'cve_lookup', input: first.cve_id, reason: 'Affected products and patch of the riskiest.' }];
  },
});

/** What is known of a CVE's exploitation: the entry of the known-exploited catalog, and exploits, verified ones first. */
function exploitation(cveId: string, { catalog }: Pick<Context, 'catalog'>) {
  const kev = catalog.kev(cveId);
  const exploits = catalog.exploits(cveId);
  return {
    kev: kev && {
      date_added: kev.date_added,
      due_date: kev.due_date,
      required_action: shownText(kev.required_action, 200),
      known_ransomware_use: ransomwareUse(kev),
    },
    exploit_count: exploits?.length ?? null,
    exploits: (exploits ?? [])
      .toSorted((a, b) => Number(b.verified) - Number(a.verified))
      .slice(0, SHOWN_EXPLOITS)
      .map(({ edb_id, title, verified }) => ({ edb_id, title: shownText(title, 120), verified })),
  };
}
