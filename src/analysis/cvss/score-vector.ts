import { type CvssVersion, isMetricDefined, CVSS_METRICS, type CvssMetricGroup } from './metrics.ts';
import { type ScoreSeverity, severityOfScore } from '../severity.ts';
import { baseScoreV2, environmentalScoreV2, temporalScoreV2 } from './v2.ts';
import { baseScoreV3, environmentalScoreV3, temporalScoreV3 } from './v3.ts';
import { scoreV4 } from './v4.ts';
import { type ParsedCvssVector, parseCvssVector } from './parse-vector.ts';

/** Scores are 0.0-10.0 with one decimal; null: no metric of the group is defined (`X` and `ND` count as not defined). */
export interface VectorScore {
  version: CvssVersion;
  vector: string;
  /** From the base metrics alone (4.0: CVSS-B). */
  base_score: number;
  base_severity: ScoreSeverity;
  /** 2.0 and 3.x. */
  temporal_score: number | null;
  /** 4.0, instead of the temporal score: CVSS-BT. */
  threat_score: number | null;
  /** Includes temporal or threat metrics that are defined (4.0: CVSS-BE or CVSS-BTE). */
  environmental_score: number | null;
}

function hasMetricOfGroup({ version, metrics }: ParsedCvssVector, group: CvssMetricGroup): boolean {
  return CVSS_METRICS[version].some(
    (metric) => metric.group === group && isMetricDefined(metrics.get(metric.abbreviation)),
  );
}

/**
 * Scores a CVSS vector of version 2.0, 3.0, 3.1 or 4.0 by the FIRST specification of its version.
 * Throws `CvssVectorError` for a text that is not a valid vector.
 */
export function scoreVector(text: string): VectorScore {
  const parsed = parseCvssVector(text);
  const { version, vector, metrics } = parsed;
  const when = (group: CvssMetricGroup, score: () => number) => (hasMetricOfGroup(parsed, group) ? score() : null);
  const result = (base: number, rest: Partial<VectorScore>): VectorScore => ({
    version,
    vector,
    base_score: base,
    base_severity: severityOfScore(version, base),
    temporal_score: null,
    threat_score: null,
    environmental_score: null,
    ...rest,
  });

  if (version === '4.0') {
    return result(scoreV4(metrics, ['base']), {
      threat_score: when('threat', () => scoreV4(metrics, ['base', 'threat'])),
      environmental_score: when('environmental', () => scoreV4(metrics, ['base', 'threat', 'environmental'])),
    });
  }
  if (version === '2.0') {
    return result(baseScoreV2(metrics), {
      temporal_score: when('temporal', () => temporalScoreV2(metrics)),
      environmental_score: when('environmental', () => environmentalScoreV2(metrics)),
    });
  }
  return result(baseScoreV3(version, metrics), {
    temporal_score: when('temporal', () => temporalScoreV3(version, metrics)),
    environmental_score: when('environmental', () => environmentalScoreV3(version, metrics)),
  });
}
