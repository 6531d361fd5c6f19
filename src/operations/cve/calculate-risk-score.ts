import { z } from 'zod';
import { URGENCIES, type Urgency } from '../../analysis/cve/remediation-action.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { CveId } from '../../engine/input/identifiers.ts';
import { joinSummary } from '../../engine/summary.ts';
import { asOfField, contextOfCve } from './lib/as-of.ts';
import { assessPriority, exposedField, priorityFields } from './lib/assess-priority.ts';
import { cveNotFoundError } from './lib/cve-not-found-error.ts';
import { addCveGaps } from './lib/add-cve-gaps.ts';
import { SEVERITIES } from '../../analysis/severity.ts';

const RECOMMENDATIONS: Record<Urgency, string> = {
  immediate: 'Patch or isolate affected systems now.',
  urgent: 'Patch within days; put mitigations in place until then.',
  scheduled: 'Patch in the next regular cycle; sooner where the system is exposed.',
  routine: 'Patch with routine maintenance.',
  unknown:
    'How soon to act is not known: no source has scored it. Look at what it affects, and ask again when it is scored.',
  none: 'Rejected: nothing to do.',
};
/** What else to do about a CVE that is known to be exploited, and that alone. */
const LOOK_FOR_SIGNS = 'It is exploited: look for signs of it on affected systems.';
/** Inputs in words. */
const INPUT_NAMES: Readonly<Record<string, string>> = {
  cvss_v3: 'CVSS v3',
  epss_score: 'EPSS',
  in_kev: 'known exploitation',
  has_public_poc: 'whether an exploit is public',
};
/** Where the deadline is over, a regular cycle is too late. */
const OVERDUE_RECOMMENDATIONS: Record<Urgency, string> = {
  ...RECOMMENDATIONS,
  immediate: 'Overdue: patch or isolate affected systems now.',
  urgent: 'Overdue: patch now, and put mitigations in place until then.',
  scheduled: 'Overdue: patch at the next opportunity, at once where the system is exposed.',
};
const Points = z.number().meta({ description: 'Points before boosters.' });

export const calculateRiskScore = defineOperation({
  id: 'calculate_risk_score',
  area: 'cve',
  title: 'CVE risk score',
  description:
    'A score 0-100 of how urgent a CVE is: CVSS x 0.20 + EPSS x 0.35 + known-exploited x 0.30 + public exploit x 0.15, with boosters. Unknown inputs are named; the score is then a lower bound.',
  route: 'GET /v1/cve/:cve_id/risk_score',
  input: z.strictObject({ cve_id: CveId, ...asOfField, ...exposedField }),
  output: lookupOutputSchema('RiskScore', {
    cve_id: z.string(),
    score: z.number().min(0).max(100),
    label: z.enum(SEVERITIES),
    urgency: z.enum(URGENCIES).meta({ description: 'As in `action`: at least urgent where it is known exploited.' }),
    has_public_poc: z.boolean().nullable().meta({ description: 'In Exploit-DB; exploits elsewhere: exploit_lookup.' }),
    components: z.object({
      cvss_v3: z.number().nullable(),
      cvss: z
        .object({ version: z.string(), score: z.number() })
        .nullable()
        .meta({ description: 'What the score is computed from: CVSS v3, else v4, else v2.' }),
      epss_score: z.number().nullable(),
      in_kev: z.boolean().nullable(),
      has_public_poc: z.boolean().nullable(),
      weighted_breakdown: z.object({ cvss: Points, epss: Points, kev: Points, poc: Points }),
    }),
    missing_inputs: z.array(z.string()),
    boosters_applied: z.array(z.string()),
    recommendation: z.string(),
    ...priorityFields,
  }),
  cost: 1,
  cacheableWhen: ({ as_of }) => as_of !== undefined,
  examples: [{ title: 'Log4Shell', input: { cve_id: 'CVE-2021-44228' } }],
  tool: {
    description:
      'Rank a CVE by one number 0-100 with its components and a recommendation. For the facts behind it use cve_lookup.',
    openWorld: false,
  },
  falsifiableFields: ['components.cvss_v3', 'components.epss_score', 'components.in_kev'],
  answer({ cve_id, as_of, exposed }, context) {
    const { catalog, evidence, now } = contextOfCve(cve_id, as_of, context);
    const dossier = catalog.cve(cve_id);
    if (dossier === null) throw cveNotFoundError(catalog, cve_id, as_of);
    addCveGaps(dossier, evidence);
    const { facts, risk, ssvc, action, isOverdue, headline } = assessPriority(dossier, catalog, now, exposed);
    const { score, label, weighted_breakdown, missing_inputs, boosters_applied } = risk;
    const recommendation = recommend(action.urgency, isOverdue, facts.in_kev, missing_inputs);
    return {
      cve_id,
      score,
      label,
      urgency: action.urgency,
      has_public_poc: facts.has_public_poc,
      components: { ...facts, weighted_breakdown },
      missing_inputs,
      boosters_applied,
      recommendation,
      ssvc,
      action,
      summary:
        action.rule === 'rejected'
          ? `${cve_id}: rejected, nothing to do.`
          : joinSummary(
              `${cve_id}: ${headline}; risk ${missing_inputs.length === 0 ? '' : 'at least '}${score} of 100 (${label}).`,
              recommendation,
              action.reason,
            ),
    };
  },
  nextCalls({ cve_id, components, action }) {
    if (action.rule === 'rejected') return [];
    return [
      { tool: 'cve_lookup', input: cve_id, reason: 'The record behind the score.' },
      ...(components.in_kev ? [{ tool: 'kev_detail', input: cve_id, reason: 'Due date and required action.' }] : []),
      {
        tool: 'exploit_lookup',
        input: cve_id,
        reason: components.has_public_poc
          ? 'The public exploits.'
          : 'Public exploits outside Exploit-DB, which this score does not count.',
      },
    ];
  },
});

function recommend(urgency: Urgency, isOverdue: boolean, inKev: boolean | null, missing: readonly string[]): string {
  const measure = (isOverdue ? OVERDUE_RECOMMENDATIONS : RECOMMENDATIONS)[urgency];
  const recommendation = inKev === true && urgency === 'immediate' ? `${measure} ${LOOK_FOR_SIGNS}` : measure;
  if (missing.length === 0 || urgency === 'none') return recommendation;
  const names = missing.map((input) => INPUT_NAMES[input] ?? input);
  return `${recommendation} The score is a lower bound: ${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} not known.`;
}
