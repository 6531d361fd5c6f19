import type { CvssVersion } from './cvss/metrics.ts';

/** Severities of findings, worst first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Severities of CVEs, worst first, as CVSS and the feeds write them. */
export const CVE_SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const;
export type CveSeverity = (typeof CVE_SEVERITIES)[number];

/** Severities of checks that also report observations without risk, worst first. */
export const CHECK_SEVERITIES = [...SEVERITIES, 'info'] as const;
export type CheckSeverity = (typeof CHECK_SEVERITIES)[number];

const RANKED_SEVERITIES: readonly string[] = [...CHECK_SEVERITIES, 'unknown'];

type RankedSeverity = CheckSeverity | CveSeverity | 'unknown' | 'UNKNOWN';

/** For sorting: negative if the first is worse. `info` follows `low`, `unknown` is last. */
export function compareSeverity(one: RankedSeverity, other: RankedSeverity): number {
  return RANKED_SEVERITIES.indexOf(one.toLowerCase()) - RANKED_SEVERITIES.indexOf(other.toLowerCase());
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
export function parseCveSeverity(word: unknown): CveSeverity | null {
  if (typeof word !== 'string') return null;
  const upper = word.toUpperCase();
  if (upper === 'MODERATE') return 'MEDIUM';
  return CVE_SEVERITIES.find((severity) => severity === upper) ?? null;
}

/** A severity, or `NONE` for a score of 0.0 (not in CVSS 2.0, where it is `LOW`). */
export type ScoreSeverity = CveSeverity | 'NONE';

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
