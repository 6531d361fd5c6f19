import type { MetricValues } from './parse-vector.ts';

const REQUIREMENT = { L: 0.5, M: 1, H: 1.51, ND: 1 };
const IMPACT = { N: 0, P: 0.275, C: 0.66 };

const WEIGHTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { L: 0.395, A: 0.646, N: 1 },
  AC: { H: 0.35, M: 0.61, L: 0.71 },
  Au: { M: 0.45, S: 0.56, N: 0.704 },
  C: IMPACT,
  I: IMPACT,
  A: IMPACT,
  E: { U: 0.85, POC: 0.9, F: 0.95, H: 1, ND: 1 },
  RL: { OF: 0.87, TF: 0.9, W: 0.95, U: 1, ND: 1 },
  RC: { UC: 0.9, UR: 0.95, C: 1, ND: 1 },
  CDP: { N: 0, L: 0.1, LM: 0.3, MH: 0.4, H: 0.5, ND: 0 },
  TD: { N: 0, L: 0.25, M: 0.75, H: 1, ND: 1 },
  CR: REQUIREMENT,
  IR: REQUIREMENT,
  AR: REQUIREMENT,
};

const metricWeight = (metrics: MetricValues, name: string): number => WEIGHTS[name]?.[metrics.get(name) ?? 'ND'] ?? 0;

/** To one decimal, half up, not below 0.0; 1e-9 is added because values such as 4.35 are not exact in binary. */
const roundToTenth = (score: number): number => Math.max(0, Math.floor(score * 10 + 0.5 + 1e-9) / 10);

function baseScoreFromImpact(metrics: MetricValues, impact: number): number {
  const exploitability = 20 * metricWeight(metrics, 'AV') * metricWeight(metrics, 'AC') * metricWeight(metrics, 'Au');
  return roundToTenth((0.6 * impact + 0.4 * exploitability - 1.5) * (impact === 0 ? 0 : 1.176));
}

const temporalScoreFromBase = (metrics: MetricValues, base: number): number =>
  roundToTenth(base * metricWeight(metrics, 'E') * metricWeight(metrics, 'RL') * metricWeight(metrics, 'RC'));

/** Base score, CVSS 2.0 guide section 3.2.1. */
export function baseScoreV2(metrics: MetricValues): number {
  const spared = (1 - metricWeight(metrics, 'C')) * (1 - metricWeight(metrics, 'I')) * (1 - metricWeight(metrics, 'A'));
  return baseScoreFromImpact(metrics, 10.41 * (1 - spared));
}

/** Temporal score, section 3.2.2. */
export const temporalScoreV2 = (metrics: MetricValues): number => temporalScoreFromBase(metrics, baseScoreV2(metrics));

/** Environmental score, section 3.2.3: the temporal score with the adjusted impact in place of the impact. */
export function environmentalScoreV2(metrics: MetricValues): number {
  const kept = (impact: string, requirement: string) =>
    1 - metricWeight(metrics, impact) * metricWeight(metrics, requirement);
  const adjusted = Math.min(10, 10.41 * (1 - kept('C', 'CR') * kept('I', 'IR') * kept('A', 'AR')));
  const temporal = temporalScoreFromBase(metrics, baseScoreFromImpact(metrics, adjusted));
  return roundToTenth((temporal + (10 - temporal) * metricWeight(metrics, 'CDP')) * metricWeight(metrics, 'TD'));
}
