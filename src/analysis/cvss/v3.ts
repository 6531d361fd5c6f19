import type { CvssVersion } from '../cve/facts.ts';
import { isDefined } from './metrics.ts';
import type { MetricValues } from './vector.ts';

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

/** Reads a base metric; for the environmental score, its modified form where that is given. */
type Read = (name: string) => string | undefined;

const weight = (name: string, value = 'X'): number => WEIGHTS[name]?.[value] ?? 0;

/**
 * Up to the next tenth. 3.1 counts in hundred-thousandths (appendix A of its specification); 3.0 asks for the
 * exact next tenth, so only the noise of binary fractions is taken off.
 */
function roundUp(version: CvssVersion, score: number): number {
  if (version === '3.0') return Math.max(0, Math.ceil(score * 10 - 1e-9) / 10);
  return Math.ceil(Math.round(score * 100_000) / 10_000) / 10;
}

function exploitability(read: Read): number {
  const privileges = read('S') === 'C' ? 'PR_CHANGED' : 'PR';
  return (
    8.22 *
    weight('AV', read('AV')) *
    weight('AC', read('AC')) *
    weight(privileges, read('PR')) *
    weight('UI', read('UI'))
  );
}

function combine(version: CvssVersion, read: Read, impact: number): number {
  if (impact <= 0) return 0;
  const sum = impact + exploitability(read);
  return roundUp(version, Math.min(10, read('S') === 'C' ? 1.08 * sum : sum));
}

const temporalFactor = (metrics: MetricValues): number =>
  weight('E', metrics.get('E')) * weight('RL', metrics.get('RL')) * weight('RC', metrics.get('RC'));

/** Base score, section 8.1 of the 3.0 specification, 7.1 of 3.1. */
export function baseV3(version: CvssVersion, metrics: MetricValues): number {
  const read: Read = (name) => metrics.get(name);
  const iss = 1 - (1 - weight('C', read('C'))) * (1 - weight('I', read('I'))) * (1 - weight('A', read('A')));
  const impact = read('S') === 'C' ? 7.52 * (iss - 0.029) - 3.25 * (iss - 0.02) ** 15 : 6.42 * iss;
  return combine(version, read, impact);
}

/** Temporal score, section 8.2 of the 3.0 specification, 7.2 of 3.1. */
export const temporalV3 = (version: CvssVersion, metrics: MetricValues): number =>
  roundUp(version, baseV3(version, metrics) * temporalFactor(metrics));

/** Environmental score, section 8.3 of the 3.0 specification, 7.3 of 3.1, which changed the modified impact. */
export function environmentalV3(version: CvssVersion, metrics: MetricValues): number {
  const read: Read = (name) => {
    const modified = metrics.get(`M${name}`);
    return isDefined(modified) ? modified : metrics.get(name);
  };
  const kept = (impact: string) => 1 - weight(impact, read(impact)) * weight(`${impact}R`, metrics.get(`${impact}R`));
  const miss = Math.min(0.915, 1 - kept('C') * kept('I') * kept('A'));
  const damping = version === '3.0' ? (miss - 0.02) ** 15 : (miss * 0.9731 - 0.02) ** 13;
  const impact = read('S') === 'C' ? 7.52 * (miss - 0.029) - 3.25 * damping : 6.42 * miss;
  return roundUp(version, combine(version, read, impact) * temporalFactor(metrics));
}
