export interface ScoringRule<Facts> {
  /** Name of what is missing where it contributes nothing. */
  signal: string;
  points: number;
  /** How much of the points is earned, 0-1. */
  earnedShare: (facts: Facts) => number;
}

export interface RuleScore {
  score: number;
  /** Rules that contributed nothing. */
  missing_signals: string[];
}

/** The sum of what each rule contributes, rounded at the end. */
export function scoreRules<Facts>(rules: readonly ScoringRule<Facts>[], facts: Facts): RuleScore {
  const earned = rules.map(({ signal, points, earnedShare }) => ({ signal, points: points * earnedShare(facts) }));
  return {
    score: Math.round(earned.reduce((sum, { points }) => sum + points, 0)),
    missing_signals: earned.filter(({ points }) => points === 0).map(({ signal }) => signal),
  };
}
