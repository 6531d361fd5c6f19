import { CvssVectorError, parseCvssVector } from '../cvss/parse-vector.ts';
import type { CvssVersion } from '../cvss/metrics.ts';
import { memoize } from '../memoize.ts';
import type { CvssAssessment, SsvcAssessment } from './cve-facts.ts';

/** Outcomes of CISA's coordinator table, least urgent first. */
export const SSVC_DECISIONS = ['track', 'track*', 'attend', 'act'] as const;
export type SsvcDecision = (typeof SSVC_DECISIONS)[number];

/** CISA Coordinator 2.0.3 (CERT/CC SSVC) at mission and well-being impact "medium"; a path that is not listed is "track". */
const DECISIONS: Readonly<Record<string, SsvcDecision>> = {
  'poc no total': 'track*',
  'poc yes total': 'track*',
  'active no total': 'attend',
  'active yes partial': 'attend',
  'active yes total': 'act',
};

/** The SSVC decision by CISA's coordinator table. Mission and well-being impact are the reader's: "medium" is assumed. */
export function decideSsvc({ exploitation, automatable, technical_impact }: SsvcPoints): SsvcDecision {
  return DECISIONS[`${exploitation} ${automatable} ${technical_impact}`] ?? 'track';
}

export type SsvcPoints = Pick<SsvcAssessment, 'exploitation' | 'automatable' | 'technical_impact'>;

/** Metrics of a vector under which an attack can be automated, and under which its impact is total, by CVSS version. */
const AUTOMATABLE_METRICS = {
  '2.0': ['AV:N', 'AC:L', 'Au:N'],
  '3.0': ['AV:N', 'AC:L', 'PR:N', 'UI:N'],
  '3.1': ['AV:N', 'AC:L', 'PR:N', 'UI:N'],
  '4.0': ['AV:N', 'AC:L', 'AT:N', 'PR:N', 'UI:N'],
} as const;
const TOTAL_IMPACT_METRICS = {
  '2.0': ['C:C', 'I:C', 'A:C'],
  '3.0': ['C:H', 'I:H', 'A:H'],
  '3.1': ['C:H', 'I:H', 'A:H'],
  '4.0': ['VC:H', 'VI:H', 'VA:H'],
} as const;

/**
 * Estimates two SSVC decision points from a CVSS vector, for a CVE that CISA has not assessed. Against CISA's own assessments
 * (28,641 CVE records of October 2024 with a vector of CVSS 3 or 4) "automatable" agrees in 96.1 %, "technical impact" in 90.9 %.
 * Null where the vector is not valid.
 */
export function estimateSsvcPoints({ version, vector }: CvssAssessment): EstimatedPoints | null {
  return estimateByVersion[version](vector);
}

type EstimatedPoints = Omit<SsvcPoints, 'exploitation'>;

/** CVEs share vectors. */
const MAX_VECTORS = 2000;
const estimator = (version: CvssVersion) =>
  memoize((vector: string) => estimateFromVector(version, vector), MAX_VECTORS);
const estimateByVersion = {
  '2.0': estimator('2.0'),
  '3.0': estimator('3.0'),
  '3.1': estimator('3.1'),
  '4.0': estimator('4.0'),
};

function estimateFromVector(version: CvssVersion, vector: string): EstimatedPoints | null {
  try {
    const { metrics } = parseCvssVector(vector);
    const hasAll = (wanted: readonly string[]): boolean =>
      wanted.every((pair) => metrics.get(pair.split(':')[0]!) === pair.split(':')[1]);
    return {
      automatable: hasAll(AUTOMATABLE_METRICS[version]) ? 'yes' : 'no',
      technical_impact: hasAll(TOTAL_IMPACT_METRICS[version]) ? 'total' : 'partial',
    };
  } catch (error) {
    if (error instanceof CvssVectorError) return null;
    throw error;
  }
}
