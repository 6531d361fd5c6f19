/** One reason for a risk score. */
export interface RiskFactor {
  /** Stable. */
  id: string;
  points: number;
  reason: string;
}

/** The sum of the points, at most 100. */
export function riskScore(factors: readonly RiskFactor[]): number {
  return Math.min(
    100,
    factors.reduce((sum, { points }) => sum + points, 0),
  );
}
