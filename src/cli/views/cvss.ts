import type { getCvssDetails } from '../../operations/cve/get-cvss-details.ts';
import { severityStatement } from './cve-parts.ts';
import { defineView } from './view.ts';

const cvssView = defineView<typeof getCvssDetails>('get_cvss_details', (cvss) => cvssShown(cvss));

export interface CvssShown {
  readonly vector: string;
  readonly version: string;
  readonly base_score: number;
  readonly base_severity: string;
  readonly metrics: Readonly<Record<string, string>>;
  readonly temporal_score: number | null;
  readonly threat_score?: number | null;
  readonly environmental_score: number | null;
}

/** A CVSS vector of any version. */
export function cvssShown(cvss: CvssShown) {
  return {
    title: cvss.vector,
    verdict: [severityStatement(cvss.base_severity, cvss.base_score), `CVSS ${cvss.version} base score`],
    facts: {
      'with temporal metrics': cvss.temporal_score?.toFixed(1),
      'with threat metrics': cvss.threat_score?.toFixed(1),
      'with environmental metrics': cvss.environmental_score?.toFixed(1),
      ...Object.fromEntries(
        Object.entries(cvss.metrics).map(([name, value]) => [
          name.replaceAll('_', ' '),
          value.toLowerCase().replaceAll('_', ' '),
        ]),
      ),
    },
  };
}

/** A CVSS vector with its scores and metrics. */
export const CVSS_VIEWS = [cvssView];
