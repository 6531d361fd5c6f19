import { z } from 'zod';
import type { CatalogView } from '../../catalog/view.ts';
import type { Refusal } from '../../errors.ts';
import { notKnown } from '../not-known.ts';
import { type NextCall, operation } from '../operation.ts';
import { pointTo } from '../route.ts';
import { CveRecord } from '../schemas/cve.ts';
import { CveId } from '../schemas/identifiers.ts';
import { status } from '../service/status.ts';
import { CVE_FALSIFIABLE, noteGaps, presentCve } from './present.ts';

export const cveLookup = operation({
  id: 'cve_lookup',
  area: 'cve',
  title: 'CVE record',
  description:
    'One CVE as its sources together describe it: severity and whose it is, CVSS, weakness, EPSS, known-exploited mark, affected products, references, patch.',
  route: 'GET /v1/cve/:cve_id',
  subject: { kind: 'cve', field: 'cve_id' },
  input: z.strictObject({
    cve_id: CveId,
    include_affected_products: flag('All affected products instead of the first 20.'),
    include_full_references: flag('All references instead of the first 10.'),
    include_reference_tags: flag('Adds `references_full`: every reference with its tags and source.'),
    include_severity_breakdown: flag('Adds the assessment of every scorer, and whether they agree.'),
  }),
  output: CveRecord,
  cost: 1,
  timeless: true,
  examples: [
    { title: 'Log4Shell', input: { cve_id: 'CVE-2021-44228' } },
    { title: 'With every scorer', input: { cve_id: 'cve-2014-0160', include_severity_breakdown: true } },
  ],
  tool: {
    description:
      'Look up one CVE: severity, CVSS, EPSS, known-exploited status, affected products, references, patch. For several use bulk_cve_lookup; to find CVEs by product use cve_search; for a single priority number use calculate_risk_score.',
    openWorld: false,
  },
  falsifiable: CVE_FALSIFIABLE,
  answer({ cve_id, ...view }, { catalog, evidence }) {
    const full = view.include_affected_products || view.include_full_references || view.include_reference_tags;
    const dossier = catalog.cve(cve_id, full);
    if (dossier === null) throw unknownCve(catalog, cve_id);
    noteGaps(dossier, evidence);
    return presentCve(dossier, view);
  },
  next({ cve_id, kev, cwe_id, patch_available }): NextCall[] {
    const calls: NextCall[] = [{ tool: 'calculate_risk_score', input: cve_id, reason: 'One number to rank it by.' }];
    if (kev.in_kev)
      calls.unshift({ tool: 'kev_detail', input: cve_id, reason: 'Known exploited: due date and required action.' });
    calls.push({ tool: 'exploit_lookup', input: cve_id, reason: 'Public exploit code.' });
    if (cwe_id !== null)
      calls.push({
        tool: 'cwe_lookup',
        input: cwe_id,
        reason: patch_available ? 'The weakness behind it.' : 'No patch found: mitigations of the weakness.',
      });
    return calls;
  },
});

export function unknownCve(catalog: CatalogView, cveId: string): Refusal {
  return notKnown(
    catalog,
    ['nvd'],
    `${cveId} is in none of the sources synced here.`,
    pointTo(status, 'shows how current they are'),
  );
}

function flag(description: string) {
  return z.boolean().default(false).meta({ description });
}
