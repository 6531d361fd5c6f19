import type { Counts, Mistake } from './analysis-quality.ts';

/** Of what was reported, the share that is right; null: nothing was reported, or what is wrong was not counted. */
export function precisionOf({ truePositives, falsePositives }: Counts): number | null {
  return falsePositives === null ? null : ratio(truePositives, truePositives + falsePositives);
}

/** Of what is there, the share that was reported (true positive rate); null: nothing is there. */
export function recallOf({ truePositives, falseNegatives }: Counts): number | null {
  return ratio(truePositives, truePositives + falseNegatives);
}

/** Of what is to be left alone, the share that was reported; null: not counted one by one. */
export function falsePositiveRateOf({ falsePositives, trueNegatives }: Counts): number | null {
  if (trueNegatives === null || falsePositives === null) return null;
  return ratio(falsePositives, falsePositives + trueNegatives);
}

/** Harmonic mean of precision and recall; null where one of them is. */
export function f1Of({ truePositives, falsePositives, falseNegatives }: Counts): number | null {
  if (falsePositives === null) return null;
  return ratio(2 * truePositives, 2 * truePositives + falsePositives + falseNegatives);
}

export function countsOf(decisions: Iterable<{ readonly isThere: boolean; readonly isReported: boolean }>): Counts {
  const counts = { truePositives: 0, falsePositives: 0, falseNegatives: 0, trueNegatives: 0 };
  for (const { isThere, isReported } of decisions) {
    if (isThere) counts[isReported ? 'truePositives' : 'falseNegatives']++;
    else counts[isReported ? 'falsePositives' : 'trueNegatives']++;
  }
  return counts;
}

/** A decision that was wrong: what it has in common with others, and the name of the case. */
export interface WrongCase {
  readonly kind: string;
  readonly name: string;
}

/** The kinds of mistakes, the most frequent first, each with its first case. */
export function commonestMistakes(cases: Iterable<WrongCase>, limit = 10): Mistake[] {
  const kinds = new Map<string, { count: number; example: string }>();
  for (const { kind, name } of cases) {
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, { count: 1, example: name });
    else known.count++;
  }
  return [...kinds]
    .map(([kind, { count, example }]) => ({ kind, count, example }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, limit);
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
