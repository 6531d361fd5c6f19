import { CVSS_METRICS } from './metrics.ts';
import { parseCvssVector } from './parse-vector.ts';

const FIELDS_V2 = {
  access_vector: 'AV',
  access_complexity: 'AC',
  authentication: 'Au',
  confidentiality_impact: 'C',
  integrity_impact: 'I',
  availability_impact: 'A',
};

const FIELDS_V3 = {
  attack_vector: 'AV',
  attack_complexity: 'AC',
  privileges_required: 'PR',
  user_interaction: 'UI',
  scope: 'S',
  confidentiality_impact: 'C',
  integrity_impact: 'I',
  availability_impact: 'A',
};

const FIELDS_V4 = {
  attack_vector: 'AV',
  attack_complexity: 'AC',
  attack_requirements: 'AT',
  privileges_required: 'PR',
  user_interaction: 'UI',
  vulnerable_system_confidentiality: 'VC',
  vulnerable_system_integrity: 'VI',
  vulnerable_system_availability: 'VA',
  subsequent_system_confidentiality: 'SC',
  subsequent_system_integrity: 'SI',
  subsequent_system_availability: 'SA',
};

const FIELDS_BY_VERSION = { '2.0': FIELDS_V2, '3.0': FIELDS_V3, '3.1': FIELDS_V3, '4.0': FIELDS_V4 };

/** Base metrics of CVSS 3.0 and 3.1 in words. */
export type BaseMetricsV3 = Record<keyof typeof FIELDS_V3, string>;

/** Base metrics of a vector, each with the word that NVD uses (`NETWORK`, `REQUIRED`). Throws `CvssVectorError`. */
export function describeBaseMetrics(
  text: string,
): BaseMetricsV3 | Record<keyof typeof FIELDS_V2, string> | Record<keyof typeof FIELDS_V4, string> {
  const { version, metrics } = parseCvssVector(text);
  const words = Object.entries(FIELDS_BY_VERSION[version]).map(([field, abbreviation]) => {
    const metric = CVSS_METRICS[version].find((candidate) => candidate.abbreviation === abbreviation)!;
    return [field, metric.valueNames[metrics.get(abbreviation)!]!];
  });
  return Object.fromEntries(words);
}
