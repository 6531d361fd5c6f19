import { z } from 'zod';
import { assessCveRisk } from '../../analysis/cve/cve-risk.ts';
import { leadingAssessment } from '../../analysis/cve/select-severity.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { CveId } from '../../engine/input/identifiers.ts';
import { summarise } from '../../engine/summary.ts';
import { cveNotFoundError } from './lib/cve-not-found-error.ts';
import { noteCveGaps } from './lib/present-cve.ts';
import { CVE_SEVERITIES } from '../../analysis/severity.ts';

const Points = z.number().meta({ description: 'Points before boosters.' });

export const calculateRiskScore = defineOperation({
  id: 'calculate_risk_score',
  area: 'cve',
  title: 'CVE risk score',
  description:
    'A score 0-100 of how urgent a CVE is: CVSS x 0.20 + EPSS x 0.35 + known-exploited x 0.30 + public exploit x 0.15, with boosters. Unknown inputs are named; the score is then a lower bound.',
  route: 'GET /v1/cve/:cve_id/risk_score',
  input: z.strictObject({ cve_id: CveId }),
  output: lookupOutputSchema('RiskScore', {
    cve_id: z.string(),
    score: z.number().min(0).max(100),
    label: z.enum(CVE_SEVERITIES),
    urgency: z.enum(['immediate', 'urgent', 'scheduled', 'routine']),
    has_public_poc: z.boolean().nullable(),
    components: z.object({
      cvss_v3: z.number().nullable(),
      epss_score: z.number().nullable(),
      in_kev: z.boolean().nullable(),
      has_public_poc: z.boolean().nullable(),
      weighted_breakdown: z.object({ cvss: Points, epss: Points, kev: Points, poc: Points }),
    }),
    missing_inputs: z.array(z.string()),
    boosters_applied: z.array(z.string()),
    recommendation: z.string(),
  }),
  cost: 1,
  examples: [{ title: 'Log4Shell', input: { cve_id: 'CVE-2021-44228' } }],
  tool: {
    description:
      'Rank a CVE by one number 0-100 with its components and a recommendation. For the facts behind it use cve_lookup.',
    openWorld: false,
  },
  falsifiableFields: ['components.cvss_v3', 'components.epss_score', 'components.in_kev'],
  answer({ cve_id }, { catalog, evidence, now }) {
    const dossier = catalog.cve(cve_id);
    if (dossier === null) throw cveNotFoundError(catalog, cve_id);
    noteCveGaps(dossier, evidence);
    const exploits = catalog.exploits(cve_id);
    const inputs = {
      cvss_v3: leadingAssessment(dossier.record?.metrics ?? [], ['3.1', '3.0'])?.base_score ?? null,
      epss_score: dossier.epss?.score ?? null,
      in_kev: dossier.kev_loaded ? dossier.kev !== null : null,
      has_public_poc: exploits === null ? null : exploits.length > 0,
    };
    const risk = assessCveRisk({ ...inputs, published: dossier.record?.published ?? null, now });
    const { score, label, urgency, weighted_breakdown, missing_inputs, boosters_applied, recommendation } = risk;
    return {
      cve_id,
      score,
      label,
      urgency,
      has_public_poc: inputs.has_public_poc,
      components: { ...inputs, weighted_breakdown },
      missing_inputs,
      boosters_applied,
      recommendation,
      summary: summarise(`${cve_id}: risk ${score} of 100 (${label}).`, recommendation),
    };
  },
  nextCalls: ({ cve_id, components }) => [
    { tool: 'cve_lookup', input: cve_id, reason: 'The record behind the score.' },
    ...(components.in_kev ? [{ tool: 'kev_detail', input: cve_id, reason: 'Due date and required action.' }] : []),
    ...(components.has_public_poc ? [{ tool: 'exploit_lookup', input: cve_id, reason: 'The public exploits.' }] : []),
  ],
});
