import cvss from 'ae-cvss-calculator';
import { CVSS_METRICS, type CvssMetricGroup } from './metrics.ts';
import type { MetricValues } from './parse-vector.ts';

/**
 * CVSS 4.0 score from the metrics of the given groups alone: `base` gives CVSS-B, with `threat` CVSS-BT,
 * with `environmental` CVSS-BE or CVSS-BTE. Interpolated between MacroVectors (section 8.2 of the specification)
 * and rounded half up to one decimal after adding 1e-6, as FIRST's calculator does.
 */
export function scoreV4(metrics: MetricValues, groups: readonly CvssMetricGroup[]): number {
  let vector = 'CVSS:4.0';
  for (const { abbreviation, group } of CVSS_METRICS['4.0']) {
    const value = groups.includes(group) ? metrics.get(abbreviation) : undefined;
    if (value !== undefined) vector += `/${abbreviation}:${value}`;
  }
  return new cvss.Cvss4P0(vector).calculateOverallScore();
}
