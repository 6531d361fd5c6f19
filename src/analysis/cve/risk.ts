/**
 * Risk score 0-100 of a CVE: CVSS x 0.20 + EPSS x 0.35 + KEV x 0.30 + PoC x 0.15, each rescaled to 0-100, then
 * multiplicative boosters, clamped. An unknown input adds nothing and is named: the score is then a lower bound.
 */

export interface CveRiskInputs {
  /** Base score 0.0-10.0, or null. */
  cvss_v3: number | null;
  /** Probability 0.0-1.0, or null: not scored is not the same as zero. */
  epss_score: number | null;
  /** Null when no known-exploited catalog could be consulted. */
  in_kev: boolean | null;
  /** Null when no exploit archive could be consulted. */
  has_public_poc: boolean | null;
  /** ISO 8601 or YYYY-MM-DD, or null. */
  published: string | null;
  now: Date;
}

export type CveRiskLabel = 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';

export interface CveRisk {
  /** One decimal. */
  score: number;
  label: CveRiskLabel;
  urgency: 'immediate' | 'urgent' | 'scheduled' | 'routine';
  /** What each input adds before boosters, one to two decimals. */
  weighted_breakdown: { cvss: number; epss: number; kev: number; poc: number };
  boosters_applied: string[];
  missing_inputs: string[];
  recommendation: string;
}

const WEIGHTS = { cvss: 0.2, epss: 0.35, kev: 0.3, poc: 0.15 } as const;
const RISK_BANDS: readonly [atLeast: number, CveRiskLabel, CveRisk['urgency']][] = [
  [90, 'CRITICAL', 'immediate'],
  [70, 'HIGH', 'urgent'],
  [40, 'MEDIUM', 'scheduled'],
  [0, 'LOW', 'routine'],
];
const RECOMMENDATIONS: Record<CveRiskLabel, string> = {
  CRITICAL: 'Patch or isolate affected systems now, and look for signs of past exploitation.',
  HIGH: 'Patch within days; put mitigations in place until then.',
  MEDIUM: 'Patch in the next regular cycle; sooner where the system is exposed.',
  LOW: 'Patch with routine maintenance.',
};
const DAY_MS = 86_400_000;

interface RiskBooster {
  id: string;
  factor: number;
  applies(inputs: CveRiskInputs): boolean;
}

const BOOSTERS: readonly RiskBooster[] = [
  { id: 'kev_with_public_poc', factor: 1.15, applies: (of) => of.in_kev === true && of.has_public_poc === true },
  {
    id: 'critical_severity_high_epss',
    factor: 1.1,
    applies: (of) => of.cvss_v3 !== null && of.cvss_v3 >= 9 && of.epss_score !== null && of.epss_score > 0.7,
  },
  { id: 'published_within_7_days', factor: 1.05, applies: (of) => isWithinDays(of.published, of.now, 7) },
];

export function assessCveRisk(inputs: CveRiskInputs): CveRisk {
  const parts = {
    cvss: (inputs.cvss_v3 ?? 0) * 10 * WEIGHTS.cvss,
    epss: (inputs.epss_score ?? 0) * 100 * WEIGHTS.epss,
    kev: inputs.in_kev === true ? 100 * WEIGHTS.kev : 0,
    poc: inputs.has_public_poc === true ? 100 * WEIGHTS.poc : 0,
  };
  const boosters = BOOSTERS.filter((booster) => booster.applies(inputs));
  const base = parts.cvss + parts.epss + parts.kev + parts.poc;
  const boosted = boosters.reduce((score, { factor }) => score * factor, base);
  const score = round(Math.min(100, Math.max(0, boosted)), 1);
  const [, label, urgency] = RISK_BANDS.find(([atLeast]) => score >= atLeast)!;
  const missing = (['cvss_v3', 'epss_score', 'in_kev', 'has_public_poc'] as const).filter(
    (name) => inputs[name] === null,
  );
  return {
    score,
    label,
    urgency,
    weighted_breakdown: {
      cvss: round(parts.cvss, 2),
      epss: round(parts.epss, 2),
      kev: round(parts.kev, 2),
      poc: round(parts.poc, 2),
    },
    boosters_applied: boosters.map(({ id }) => id),
    missing_inputs: missing,
    recommendation: recommend(label, missing),
  };
}

function recommend(label: CveRiskLabel, missing: readonly string[]): string {
  if (missing.length === 0) return RECOMMENDATIONS[label];
  return `${RECOMMENDATIONS[label]} The score is a lower bound: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} unknown.`;
}

function isWithinDays(published: string | null, now: Date, days: number): boolean {
  if (published === null) return false;
  const age = now.getTime() - Date.parse(published);
  return age >= 0 && age <= days * DAY_MS;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
