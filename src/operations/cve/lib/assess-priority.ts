import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { isoDay } from '../../../analysis/iso-time.ts';
import { assessCveRisk, type CveRisk } from '../../../analysis/cve/cve-risk.ts';
import { ACTION_RULES, decideAction, URGENCIES } from '../../../analysis/cve/remediation-action.ts';
import { leadingAssessment, selectScored } from '../../../analysis/cve/select-severity.ts';
import { decideSsvc, estimateSsvcPoints, SSVC_DECISIONS } from '../../../analysis/cve/ssvc-decision.ts';
import type { CvssVersion } from '../../../analysis/cvss/metrics.ts';
import type { CveDossier } from '../../../catalog/cve-dossier.ts';
import type { CatalogView } from '../../../catalog/catalog-view.ts';

export const Ssvc = z
  .object({
    exploitation: z.enum(['none', 'poc', 'active']),
    automatable: z.enum(['no', 'yes']),
    technical_impact: z.enum(['partial', 'total']),
    decision: z.enum(SSVC_DECISIONS),
    source: z.string(),
    at: z.string().nullable(),
  })
  .meta({
    id: 'Ssvc',
    description:
      "CISA's SSVC points, or an estimate from the CVSS vector (`source` says which); `exploitation` is raised by the known-exploited catalog and Exploit-DB. `decision` is CISA's coordinator table at medium mission and well-being impact.",
  });

export const Action = z
  .object({
    urgency: z.enum(URGENCIES),
    deadline: z.string().nullable().meta({ description: 'YYYY-MM-DD, possibly over; null where no rule sets a day.' }),
    rule: z.enum(ACTION_RULES).meta({ description: 'What sets the deadline; without one, the urgency.' }),
    exposed: z.boolean().nullable(),
    reason: ForeignText,
  })
  .meta({
    id: 'Action',
    description: 'How soon to act: the strictest urgency and the earliest deadline of the rules that apply.',
  });

/** Input of every operation that says how soon to act. */
export const exposedField = {
  exposed: z.boolean().optional().meta({ description: 'Reachable from the internet? Sharpens `action`.' }),
};

/** Output of every operation that shows a CVE. */
export const priorityFields = { ssvc: Ssvc.nullable(), action: Action };

/** The inputs of a CVE's risk score; null is "not known". */
export interface RiskFacts {
  cvss_v3: number | null;
  /** The score that the risk is computed from: of v3, else of v4, else of v2. */
  cvss: { version: CvssVersion; score: number } | null;
  epss_score: number | null;
  in_kev: boolean | null;
  has_public_poc: boolean | null;
}

export interface CvePriority {
  facts: RiskFacts;
  risk: CveRisk;
  ssvc: z.output<typeof Ssvc> | null;
  action: z.output<typeof Action>;
  /** Whether the deadline of the action is over. */
  isOverdue: boolean;
  /** The action in a few words for a summary: `urgent, overdue since 2021-12-24`. */
  headline: string;
}

/** The one judgement of how soon to act on a CVE: every operation shows this one. `exposed` undefined: not known. */
export function assessPriority(
  dossier: CveDossier,
  catalog: CatalogView,
  now: Date,
  exposed: boolean | undefined,
): CvePriority {
  const { record, kev, epss, kev_loaded } = dossier;
  const metrics = record?.metrics ?? [];
  const scored = selectScored(metrics);
  const facts: RiskFacts = {
    cvss_v3: leadingAssessment(metrics, ['3.1', '3.0'])?.base_score ?? null,
    cvss: scored === null ? null : { version: scored.version, score: scored.base_score },
    epss_score: epss?.score ?? null,
    in_kev: kev_loaded ? kev !== null : null,
    has_public_poc: catalog.hasExploits(dossier),
  };
  const published = record?.published ?? null;
  const { epss_score, in_kev, has_public_poc } = facts;
  const risk = assessCveRisk({ cvss: facts.cvss?.score ?? null, epss_score, in_kev, has_public_poc, published, now });
  const ssvc = ssvcOf(dossier, facts, scored);
  const action = decideAction({
    rejected: record?.rejected ?? false,
    in_kev: facts.in_kev,
    exposed: exposed ?? null,
    automatable: ssvc?.automatable ?? null,
    technical_impact: ssvc?.technical_impact ?? null,
    kev_date_added: kev?.date_added ?? null,
    kev_due_date: kev?.due_date ?? null,
    published,
    ssvc_decision: ssvc?.decision ?? null,
    risk_urgency: risk.urgency,
  });
  const { urgency, deadline } = action;
  const isOverdue = deadline !== null && deadline < isoDay(now.getTime());
  const words = urgency === 'unknown' ? 'priority not known' : urgency;
  const headline = deadline === null ? words : `${urgency}, ${isOverdue ? 'overdue since' : 'by'} ${deadline}`;
  return { facts, risk, ssvc, action, isOverdue, headline };
}

function ssvcOf(
  { record }: CveDossier,
  { in_kev, has_public_poc }: RiskFacts,
  scored: ReturnType<typeof selectScored>,
): CvePriority['ssvc'] {
  if (record === null || record.rejected) return null;
  const estimate = scored === null ? null : estimateSsvcPoints(scored);
  const assessed = record.ssvc;
  if (assessed === null && estimate === null) return null;
  const ofSource = assessed?.exploitation ?? 'none';
  const exploitation = in_kev === true ? 'active' : has_public_poc === true && ofSource === 'none' ? 'poc' : ofSource;
  const { automatable, technical_impact } = assessed ?? estimate!;
  return {
    exploitation,
    automatable,
    technical_impact,
    source: assessed === null ? `estimated from CVSS ${scored!.version}` : assessed.source,
    at: assessed === null ? null : assessed.at,
    decision: decideSsvc({ exploitation, automatable, technical_impact }),
  };
}
