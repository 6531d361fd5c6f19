import { organizationShortName } from './organization-short-name.ts';
import type { CvssAssessment } from './cve-facts.ts';
import type { CvssVersion } from '../cvss/metrics.ts';
import { type Severity, severityOfScore } from '../severity.ts';

/** An assessment together with the feed that carried it. */
export interface SourcedAssessment extends CvssAssessment {
  source: string;
}

export interface SelectedSeverity {
  severity: Severity | null;
  /** The assessment that the severity comes from; null without any assessment. */
  basis: SourcedAssessment | null;
}

export interface SeverityComparison {
  /** The severity on which all scorers agree; null if they differ or there is no score. */
  consensus: Severity | null;
  disagreement: boolean;
}

/** Scorer of the NVD's own assessments. */
export const NVD_SCORER = 'nvd@nist.gov';
/** The first version family with a score decides: v3 (most scores exist there), v4, v2. */
const VERSION_FAMILIES: readonly (readonly CvssVersion[])[] = [['3.1', '3.0'], ['4.0'], ['2.0']];

/** The leading assessment of a CVE among these CVSS versions: that of the NVD, else the record's primary one (CNA), else any; null: none. */
export function leadingAssessment(
  metrics: readonly SourcedAssessment[],
  versions: readonly CvssVersion[],
): SourcedAssessment | null {
  let best: SourcedAssessment | null = null;
  let bestRank = Number.POSITIVE_INFINITY;
  for (const metric of metrics) {
    const version = versions.indexOf(metric.version);
    if (version === -1) continue;
    const authority = metric.scorer === NVD_SCORER ? 0 : metric.primary ? 1 : 2;
    const rank = authority * versions.length + version;
    if (rank < bestRank) {
      best = metric;
      bestRank = rank;
    }
  }
  return best;
}

/** The assessment whose base score represents a CVE: of v3, else of v4, else of v2; null: no version has a score. */
export function selectScored(
  metrics: readonly SourcedAssessment[],
): (SourcedAssessment & { base_score: number }) | null {
  for (const family of VERSION_FAMILIES) {
    const scored = metrics.filter(({ base_score }) => base_score !== null);
    const leading = leadingAssessment(scored, family);
    if (leading !== null && leading.base_score !== null) return { ...leading, base_score: leading.base_score };
  }
  return null;
}

/** Severity of a CVE and the assessment that it comes from, also if only v4.0, only v2.0 or only the CNA scored it. */
export function selectSeverity(metrics: readonly SourcedAssessment[]): SelectedSeverity {
  const withSeverity = metrics.filter((metric) => severityOfAssessment(metric) !== null);
  // A score of 0.0 has no severity; the severity by another scorer is preferred.
  for (const candidates of [withSeverity, metrics]) {
    for (const family of VERSION_FAMILIES) {
      const basis = leadingAssessment(candidates, family);
      if (basis !== null) return { severity: severityOfAssessment(basis), basis };
    }
  }
  return { severity: null, basis: null };
}

/**
 * Whose score counts and why, and what other scorers say, in sentences: `NVD's CVSS 3.1 score of 9.8 (CRITICAL) counts: …`.
 */
export function describeBasis(metrics: readonly SourcedAssessment[]): string {
  const { basis } = selectSeverity(metrics);
  if (basis === null) return 'No source has scored it: its severity is not known, which is no sign of a low one.';
  const counted = `The CVSS ${basis.version} score of ${scorerInWords(basis)}, ${scoreInWords(basis)}, counts, also for how soon to act: ${RANKING}`;
  const others = metrics.filter(
    (metric) => metric.scorer !== basis.scorer && metric.version !== '2.0' && metric.base_score !== null,
  );
  const said = [
    ...new Set(others.map((metric) => `${scorerInWords(metric)} ${scoreInWords(metric)} (CVSS ${metric.version})`)),
  ];
  const rest =
    said.length === 0
      ? 'No other scorer is known; a rating in words alone, which makers give in their advisories, may differ and is not counted.'
      : `Beside it: ${said.slice(0, MAX_SAID).join(', ')}; a rating in words alone is not counted.`;
  return `${counted} ${rest}`;
}

const MAX_SAID = 5;
const RANKING =
  'the NVD goes before the CNA, so that all CVEs are measured by one scorer, and CVSS 3 before 4 and 2, because most CVEs have it.';

function scorerInWords({ scorer }: SourcedAssessment): string {
  return scorer === NVD_SCORER ? 'the NVD' : organizationShortName(scorer);
}

function scoreInWords(assessment: SourcedAssessment): string {
  const severity = severityOfAssessment(assessment) ?? 'NONE';
  return `${assessment.base_score?.toFixed(1) ?? 'no number'} ${severity}`;
}

/** Whether the scorers agree. v2.0 scores count only without newer ones: v2.0 has no CRITICAL and would always disagree. */
export function compareSeverities(metrics: readonly SourcedAssessment[]): SeverityComparison {
  const modern = metrics.filter((metric) => metric.version !== '2.0');
  const scored = (modern.length > 0 ? modern : metrics).filter(
    ({ base_score, base_severity }) => base_score !== null || base_severity !== null,
  );
  // A score of 0.0 counts too, as severity NONE.
  const severities = new Set(scored.map((metric) => severityOfAssessment(metric) ?? 'NONE'));
  const [only] = severities;
  const agreed = severities.size === 1 && only !== undefined && only !== 'NONE';
  return { consensus: agreed ? only : null, disagreement: severities.size > 1 };
}

/** The published severity, else that of the score by its version's rating scale (v2.0: by the NVD's); null for no score or 0.0. */
export function severityOfAssessment({ base_severity, base_score, version }: CvssAssessment): Severity | null {
  if (base_severity !== null) return base_severity;
  if (base_score === null) return null;
  const severity = severityOfScore(version, base_score);
  return severity === 'NONE' ? null : severity;
}
