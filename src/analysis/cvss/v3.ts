import { type CvssVersion, isMetricDefined } from './metrics.ts';
import type { MetricValues } from './parse-vector.ts';

const REQUIREMENT = { X: 1, H: 1.5, M: 1, L: 0.5 };
const IMPACT = { H: 0.56, L: 0.22, N: 0 };

const WEIGHTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  PR: { N: 0.85, L: 0.62, H: 0.27 },
  PR_CHANGED: { N: 0.85, L: 0.68, H: 0.5 },
  UI: { N: 0.85, R: 0.62 },
  C: IMPACT,
  I: IMPACT,
  A: IMPACT,
  E: { X: 1, H: 1, F: 0.97, P: 0.94, U: 0.91 },
  RL: { X: 1, U: 1, W: 0.97, T: 0.96, O: 0.95 },
  RC: { X: 1, C: 1, R: 0.96, U: 0.92 },
  CR: REQUIREMENT,
  IR: REQUIREMENT,
  AR: REQUIREMENT,
};

/** The value of a base metric; for the environmental score that of its modified metric if defined. */
type MetricReader = (name: string) => string | undefined;

const metricWeight = (name: string, value = 'X'): number => WEIGHTS[name]?.[value] ?? 0;

/**
 * Rounds up to one decimal. 3.1 rounds to five decimals first (appendix A of its specification); 3.0 does not, so that only the
 * error of binary fractions is removed.
 */
function roundUp(version: CvssVersion, score: number): number {
  if (version === '3.0') return Math.max(0, Math.ceil(score * 10 - 1e-9) / 10);
  return Math.ceil(Math.round(score * 100_000) / 10_000) / 10;
}

function exploitabilityScore(read: MetricReader): number {
  const privileges = read('S') === 'C' ? 'PR_CHANGED' : 'PR';
  return (
    8.22 *
    metricWeight('AV', read('AV')) *
    metricWeight('AC', read('AC')) *
    metricWeight(privileges, read('PR')) *
    metricWeight('UI', read('UI'))
  );
}

function combineScore(version: CvssVersion, read: MetricReader, impact: number): number {
  if (impact <= 0) return 0;
  const sum = impact + exploitabilityScore(read);
  return roundUp(version, Math.min(10, read('S') === 'C' ? 1.08 * sum : sum));
}

const temporalFactor = (metrics: MetricValues): number =>
  metricWeight('E', metrics.get('E')) * metricWeight('RL', metrics.get('RL')) * metricWeight('RC', metrics.get('RC'));

/** Base score, section 8.1 of the 3.0 specification, 7.1 of 3.1. */
export function baseScoreV3(version: CvssVersion, metrics: MetricValues): number {
  const read: MetricReader = (name) => metrics.get(name);
  const iss =
    1 - (1 - metricWeight('C', read('C'))) * (1 - metricWeight('I', read('I'))) * (1 - metricWeight('A', read('A')));
  const impact = read('S') === 'C' ? 7.52 * (iss - 0.029) - 3.25 * (iss - 0.02) ** 15 : 6.42 * iss;
  return combineScore(version, read, impact);
}

/** Temporal score, section 8.2 of the 3.0 specification, 7.2 of 3.1. */
export const temporalScoreV3 = (version: CvssVersion, metrics: MetricValues): number =>
  roundUp(version, baseScoreV3(version, metrics) * temporalFactor(metrics));

/** Environmental score, section 8.3 of the 3.0 specification, 7.3 of 3.1, which changed the modified impact. */
export function environmentalScoreV3(version: CvssVersion, metrics: MetricValues): number {
  const read: MetricReader = (name) => {
    const modified = metrics.get(`M${name}`);
    return isMetricDefined(modified) ? modified : metrics.get(name);
  };
  const kept = (impact: string) =>
    1 - metricWeight(impact, read(impact)) * metricWeight(`${impact}R`, metrics.get(`${impact}R`));
  const miss = Math.min(0.915, 1 - kept('C') * kept('I') * kept('A'));
  const damping = version === '3.0' ? (miss - 0.02) ** 15 : (miss * 0.9731 - 0.02) ** 13;
  const impact = read('S') === 'C' ? 7.52 * (miss - 0.029) - 3.25 * damping : 6.42 * miss;
  return roundUp(version, combineScore(version, read, impact) * temporalFactor(metrics));
}
