import { describeBaseMetrics } from '../../analysis/cvss/describe-base-metrics.ts';
import { CvssVectorError, parseCvssVector } from '../../analysis/cvss/parse-vector.ts';
import { scoreVector } from '../../analysis/cvss/score-vector.ts';
import { CliError } from '../../exit-codes.ts';
import type { CvssShown } from '../views/cvss.ts';

/** A CVSS vector of version 2.0 or 4.0 in words and with its scores; null for version 3, which an operation answers. Throws `CliError`. */
export function vectorAnswer(text: string): (CvssShown & { summary: string }) | null {
  try {
    const { version } = parseCvssVector(text);
    if (version === '3.0' || version === '3.1') return null;
    const { vector, base_score, base_severity, temporal_score, threat_score, environmental_score } = scoreVector(text);
    return {
      version,
      vector,
      base_score,
      base_severity,
      metrics: describeBaseMetrics(text),
      temporal_score,
      threat_score,
      environmental_score,
      summary: `CVSS ${version} base score ${base_score.toFixed(1)} (${base_severity}).`,
    };
  } catch (error) {
    throw error instanceof CvssVectorError ? new CliError('usage', error.message) : error;
  }
}
