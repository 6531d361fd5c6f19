import type { CvssVersion, CveSeverity } from '../cve/cve-facts.ts';

/** A severity, or `NONE` for a score of 0.0 (which 2.0 does not know: there it is `LOW`). */
export type ScoreSeverity = CveSeverity | 'NONE';

/**
 * Qualitative severity of a score between 0.0 and 10.0.
 * 3.x and 4.0: the rating scale of the FIRST specifications. 2.0 has none of its own: the bands are NVD's.
 */
export function severityOfScore(version: CvssVersion, score: number): ScoreSeverity {
  if (version === '2.0') return score >= 7 ? 'HIGH' : score >= 4 ? 'MEDIUM' : 'LOW';
  if (score >= 9) return 'CRITICAL';
  if (score >= 7) return 'HIGH';
  if (score >= 4) return 'MEDIUM';
  return score > 0 ? 'LOW' : 'NONE';
}
