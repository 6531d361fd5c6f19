import { CVSS_METRICS } from './metrics.ts';
import { parseCvssVector } from './parse-vector.ts';

/** Base metrics of CVSS 2.0 in words. */
export interface BaseMetricsV2 {
  access_vector: string;
  access_complexity: string;
  authentication: string;
  confidentiality_impact: string;
  integrity_impact: string;
  availability_impact: string;
}

/** Base metrics of CVSS 3.0 and 3.1 in words. */
export interface BaseMetricsV3 {
  attack_vector: string;
  attack_complexity: string;
  privileges_required: string;
  user_interaction: string;
  scope: string;
  confidentiality_impact: string;
  integrity_impact: string;
  availability_impact: string;
}

/** Base metrics of CVSS 4.0 in words. */
export interface BaseMetricsV4 {
  attack_vector: string;
  attack_complexity: string;
  attack_requirements: string;
  privileges_required: string;
  user_interaction: string;
  vulnerable_system_confidentiality: string;
  vulnerable_system_integrity: string;
  vulnerable_system_availability: string;
  subsequent_system_confidentiality: string;
  subsequent_system_integrity: string;
  subsequent_system_availability: string;
}

/** Base metrics of a vector, each with the word that NVD uses (`NETWORK`, `REQUIRED`). Throws `CvssVectorError`. */
export function describeBaseMetrics(text: string): BaseMetricsV2 | BaseMetricsV3 | BaseMetricsV4 {
  const { version, metrics } = parseCvssVector(text);
  const word = (name: string): string => {
    const metric = CVSS_METRICS[version].find((candidate) => candidate.abbreviation === name);
    return metric?.valueNames[metrics.get(name) ?? ''] ?? '';
  };
  if (version === '2.0') {
    return {
      access_vector: word('AV'),
      access_complexity: word('AC'),
      authentication: word('Au'),
      confidentiality_impact: word('C'),
      integrity_impact: word('I'),
      availability_impact: word('A'),
    };
  }
  if (version === '4.0') {
    return {
      attack_vector: word('AV'),
      attack_complexity: word('AC'),
      attack_requirements: word('AT'),
      privileges_required: word('PR'),
      user_interaction: word('UI'),
      vulnerable_system_confidentiality: word('VC'),
      vulnerable_system_integrity: word('VI'),
      vulnerable_system_availability: word('VA'),
      subsequent_system_confidentiality: word('SC'),
      subsequent_system_integrity: word('SI'),
      subsequent_system_availability: word('SA'),
    };
  }
  return {
    attack_vector: word('AV'),
    attack_complexity: word('AC'),
    privileges_required: word('PR'),
    user_interaction: word('UI'),
    scope: word('S'),
    confidentiality_impact: word('C'),
    integrity_impact: word('I'),
    availability_impact: word('A'),
  };
}
