import { z } from 'zod';
import { organizationShortName } from '../../../analysis/cve/organization-short-name.ts';
import {
  compareSeverities,
  describeBasis,
  type SourcedAssessment,
  severityOfAssessment,
} from '../../../analysis/cve/select-severity.ts';
import { memoize } from '../../../analysis/memoize.ts';
import { describeBaseMetrics } from '../../../analysis/cvss/describe-base-metrics.ts';
import { CvssVectorError } from '../../../analysis/cvss/parse-vector.ts';
import type { CvssBreakdown, SeveritySource } from './schemas.ts';

/** The assessment behind the severity; its metrics in words where the vector is valid. */
export function presentCvssBreakdown(assessment: SourcedAssessment): z.output<typeof CvssBreakdown> | null {
  const { version, vector, base_score, scorer } = assessment;
  return {
    version,
    vector,
    base_score,
    base_severity: severityOfAssessment(assessment),
    scorer: organizationShortName(scorer),
    ...metricsInWords(vector),
  };
}

/** CVEs share vectors: 237,000 records of the NVD have 3,400 different ones. */
const MAX_VECTORS = 4000;
const metricsInWords = memoize((vector: string): Readonly<Record<string, string>> => {
  try {
    return describeBaseMetrics(vector);
  } catch (error) {
    if (error instanceof CvssVectorError) return {};
    throw error;
  }
}, MAX_VECTORS);

/** One assessment, with who scored it and which feed carried it. */
export function presentSeveritySource(assessment: SourcedAssessment): z.output<typeof SeveritySource> {
  const { scorer, source, version, vector, base_score, primary } = assessment;
  return {
    scorer: organizationShortName(scorer),
    source,
    version,
    vector,
    base_score,
    severity: severityOfAssessment(assessment),
    primary,
  };
}

/** All assessments, and whether their severities agree. */
export function presentSeverityBreakdown(assessments: readonly SourcedAssessment[]) {
  const { consensus, disagreement } = compareSeverities(assessments);
  return {
    severity_sources: assessments.map(presentSeveritySource),
    severity_consensus: consensus,
    severity_disagreement: disagreement,
    severity_reason: describeBasis(assessments),
  };
}
