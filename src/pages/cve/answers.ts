import { NVD_SCORER } from '../../analysis/cve/select-severity.ts';
import type { Answer } from '../../engine/operation.ts';
import type { cveDetection } from '../../operations/cve/cve-detection.ts';
import type { cveLookup } from '../../operations/cve/cve-lookup.ts';
import type { calculateRiskScore } from '../../operations/cve/calculate-risk-score.ts';
import type { epssHistory } from '../../operations/cve/epss-history.ts';
import type { exploitLookup } from '../../operations/cve/exploit-lookup.ts';

/** The answers that the page of a CVE is made from. */
export type Cve = Answer<(typeof cveLookup)['output']>;
export type AffectedProduct = Cve['affected_products'][number];
export type RiskScore = Answer<(typeof calculateRiskScore)['output']>;
export type EpssSeries = Answer<(typeof epssHistory)['output']>;
export type Exploits = Answer<(typeof exploitLookup)['output']>;
export type Detection = Answer<(typeof cveDetection)['output']>;

/** `NVD` for the address under which it scores. */
export function scorerName(scorer: string): string {
  return scorer === NVD_SCORER ? 'NVD' : scorer;
}
