import type { CveSeverity } from '../../../analysis/cve/cve-facts.ts';
import { assessCveRisk } from '../../../analysis/cve/cve-risk.ts';
import { selectSeverity, leadingAssessment } from '../../../analysis/cve/select-severity.ts';
import { findEcosystem } from '../../../analysis/packages/ecosystems.ts';
import {
  type PackageVulnerability,
  isMalicious,
  describeRemedy,
  severityFromScore,
  TYPICAL_SCORE_BY_SEVERITY,
} from '../../../analysis/packages/package-vulnerabilities.ts';
import { genericOrder } from '../../../analysis/versions/generic.ts';
import type { VersionOrder } from '../../../analysis/versions/version-order.ts';
import type { CatalogView } from '../../../catalog/catalog-view.ts';

/** A known vulnerability of a package that is in use. */
export interface DependencyFinding {
  package: string;
  version: string;
  /** Null where the name alone matched, in a CPE name. */
  ecosystem: string | null;
  cve_id: string | null;
  severity: CveSeverity | null;
  cvss_v3: number | null;
  epss_score: number | null;
  in_kev: boolean | null;
  fixed_in: string | null;
  remediation: string;
  title: string | null;
  /** Other ids of the same vulnerability. */
  aliases: string[];
  matched_by: ('osv' | 'ghsa' | 'cpe')[];
  /** What matched: ids of advisories, and a CPE name. */
  evidence: string[];
}

export interface CveRiskSummary {
  cve_id: string;
  severity: CveSeverity | null;
  cvss_v3: number | null;
  epss_score: number | null;
  in_kev: boolean | null;
  title: string | null;
  published: string | null;
  risk: number;
}

/** One vulnerability, joined over all sources, and the risk (0 to 100, malicious packages above) that findings are sorted by. */
export function createDependencyFinding(
  packageFields: Pick<DependencyFinding, 'package' | 'version' | 'ecosystem'>,
  flaw: PackageVulnerability,
  loadSummary: (cveId: string) => CveRiskSummary,
  now: Date,
): { finding: DependencyFinding; risk: number } {
  const cves = flaw.cves.map(loadSummary);
  const worst = cves.toSorted((a, b) => b.risk - a.risk)[0];
  // GitHub advisories first: they have titles where others have only descriptions.
  const advisories = flaw.advisories
    .map(({ advisory }) => advisory)
    .toSorted((a, b) => Number(b.source === 'ghsa') - Number(a.source === 'ghsa'));
  const advisoryScore = advisories.map(({ cvss_v3 }) => cvss_v3).find((score) => score !== null) ?? null;
  const advisorySeverity = advisories.map(({ severity }) => severity).find((severity) => severity !== null) ?? null;
  const malicious = isMalicious(flaw.ids);
  const cvss_v3 = worst?.cvss_v3 ?? advisoryScore;
  const severity = malicious ? 'CRITICAL' : (worst?.severity ?? severityFromScore(advisoryScore, advisorySeverity));
  const order = findEcosystem(packageFields.ecosystem ?? '')?.order ?? genericOrder;
  const fixed_in = malicious ? null : latestFixedVersion([...flaw.advisories, ...flaw.cpes], order);
  const cve_id = worst?.cve_id ?? null;
  const finding: DependencyFinding = {
    ...packageFields,
    cve_id,
    severity,
    cvss_v3,
    epss_score: worst?.epss_score ?? null,
    in_kev: worst?.in_kev ?? (cve_id === null ? false : null),
    fixed_in,
    remediation: describeRemedy(packageFields.package, fixed_in, malicious),
    title: advisories.map(({ title }) => title).find((title) => title !== null) ?? worst?.title ?? null,
    aliases: [...flaw.ids, ...flaw.cves.filter((id) => id !== cve_id)],
    matched_by: [
      ...new Set([...advisories.map(({ source }) => source), ...flaw.cpes.map(() => 'cpe' as const)]),
    ].sort(),
    evidence: [...new Set([...advisories.map(({ id }) => id), ...flaw.cpes.map(({ cpe }) => cpe)])],
  };
  const published = worst?.published ?? advisories[0]?.published ?? null;
  return { finding, risk: riskScoreOf(finding, published, now) + (malicious ? 100 : 0) };
}

/** The catalog's facts of a CVE in short; `risk` is 0 to 100. */
export function loadCveRiskSummary(cve_id: string, catalog: CatalogView, now: Date): CveRiskSummary {
  const dossier = catalog.cve(cve_id);
  const metrics = dossier?.record?.metrics ?? [];
  const facts = {
    cve_id,
    severity: selectSeverity(metrics).severity,
    cvss_v3: leadingAssessment(metrics, ['3.1', '3.0'])?.base_score ?? null,
    epss_score: dossier?.epss?.score ?? null,
    in_kev: dossier === null || !dossier.kev_loaded ? null : dossier.kev !== null,
    title: dossier?.record?.title ?? null,
    published: dossier?.record?.published ?? null,
  };
  return { ...facts, risk: riskScoreOf(facts, facts.published, now) };
}

function riskScoreOf(
  facts: Pick<DependencyFinding, 'severity' | 'cvss_v3' | 'epss_score' | 'in_kev'>,
  published: string | null,
  now: Date,
): number {
  const cvss_v3 = facts.cvss_v3 ?? (facts.severity === null ? null : TYPICAL_SCORE_BY_SEVERITY[facts.severity]);
  return assessCveRisk({ ...facts, cvss_v3, has_public_poc: null, published, now }).score;
}

/** The latest of the known fixed versions: every database agrees that it is fixed there. Null: none is known. */
export function latestFixedVersion(matches: readonly { fixed: string | null }[], order: VersionOrder): string | null {
  const versions = matches.map(({ fixed }) => fixed).filter((fixed) => fixed !== null);
  const later = (a: string, b: string): string => {
    const [left, right] = [order.parse(a), order.parse(b)];
    return left === null || (right !== null && order.compare(left, right) < 0) ? b : a;
  };
  return versions.length === 0 ? null : versions.reduce(later);
}
