import type { CvssVersion } from './cvss/metrics.ts';

/** Severities of CVEs and of findings, worst first, as CVSS writes them. The only ones of the service. */
export const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Severities of checks that also report observations without risk, worst first. */
export const CHECK_SEVERITIES = [...SEVERITIES, 'INFO'] as const;
export type CheckSeverity = (typeof CHECK_SEVERITIES)[number];

const RANKED_SEVERITIES = [...CHECK_SEVERITIES, 'UNKNOWN'] as const;

type RankedSeverity = (typeof RANKED_SEVERITIES)[number];

/** For sorting: negative if the first is worse. `INFO` follows `LOW`, `UNKNOWN` is last. */
export function compareSeverity(one: RankedSeverity, other: RankedSeverity): number {
  return RANKED_SEVERITIES.indexOf(one) - RANKED_SEVERITIES.indexOf(other);
}

/** How many findings have each of `severities`; keys are in the same order. */
export function countBySeverity<Name extends string>(
  severities: readonly Name[],
  findings: readonly { readonly severity: NoInfer<Name> }[],
): Record<Name, number> {
  const counts = Object.fromEntries(severities.map((name) => [name, 0])) as Record<Name, number>;
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

/** The severity that an upstream word means, in any case (GitHub says `moderate` for medium); null for other words. */
export function parseSeverity(word: unknown): Severity | null {
  if (typeof word !== 'string') return null;
  const upper = word.toUpperCase();
  if (upper === 'MODERATE') return 'MEDIUM';
  return SEVERITIES.find((severity) => severity === upper) ?? null;
}

/** A severity, or `NONE` for a score of 0.0 (not in CVSS 2.0, where it is `LOW`). */
export type ScoreSeverity = Severity | 'NONE';

/**
 * Qualitative severity of a score between 0.0 and 10.0.
 * CVSS 3.x and 4.0: the rating scale of the FIRST specifications. CVSS 2.0 defines no scale: NVD's bands.
 */
export function severityOfScore(version: CvssVersion, score: number): ScoreSeverity {
  if (version === '2.0') return score >= 7 ? 'HIGH' : score >= 4 ? 'MEDIUM' : 'LOW';
  if (score >= 9) return 'CRITICAL';
  if (score >= 7) return 'HIGH';
  if (score >= 4) return 'MEDIUM';
  return score > 0 ? 'LOW' : 'NONE';
}
