import { SupportField } from '../../../engine/product-support.ts';
import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { SEVERITIES } from '../../../analysis/severity.ts';
import { findEcosystem } from '../../../analysis/packages/ecosystems.ts';
import {
  type PackageVulnerability,
  describeRemedy,
  severityFromScore,
} from '../../../analysis/packages/package-vulnerabilities.ts';
import { isMaliciousPackage } from '../../../analysis/packages/malicious-package.ts';
import type { Support } from '../../../analysis/support/find-support.ts';
import { genericOrder } from '../../../analysis/versions/generic.ts';
import { latestVersion } from '../../../analysis/versions/version-order.ts';
import { type CveRiskSummary, riskScoreOf } from '../../cve/lib/cve-risk-summary.ts';

/** A known vulnerability of a package that is in use. `ecosystem` null: the name alone matched, in a CPE name. */
export const DependencyFinding = z.object({
  package: ForeignText,
  version: ForeignText,
  ecosystem: ForeignText.nullable(),
  cve_id: z.string().nullable(),
  severity: z.enum(SEVERITIES).nullable(),
  cvss_v3: z.number().nullable(),
  epss_score: z.number().nullable(),
  in_kev: z.boolean().nullable(),
  malicious: z.boolean().meta({
    description: 'The version itself does harm: remove it. `fixed_in` is then a version that no advisory names so.',
  }),
  fixed_in: ForeignText.nullable(),
  remediation: ForeignText,
  title: ForeignText.nullable(),
  aliases: z.array(ForeignText),
  matched_by: z
    .array(z.enum(['osv', 'ghsa', 'cpe', 'name', 'vex']))
    .meta({ description: '`name`: vendor and product in plain words; `vex`: a statement of the maker.' }),
  confidence: z
    .enum(['high', 'low'])
    .meta({ description: 'low: neither an advisory of the package nor its maker says so.' }),
  evidence: z.array(ForeignText).meta({ description: 'Advisory ids and CPE names that matched.' }),
  support: SupportField,
});
export type DependencyFinding = z.output<typeof DependencyFinding>;

/** One vulnerability, joined over all sources, and the risk (0 to 100, malicious packages above) that findings are sorted by. */
export function createDependencyFinding(
  packageFields: Pick<DependencyFinding, 'package' | 'version' | 'ecosystem' | 'support'>,
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
  const malicious = advisories.some(isMaliciousPackage);
  const cvss_v3 = worst?.cvss_v3 ?? advisoryScore;
  const severity = malicious ? 'CRITICAL' : (worst?.severity ?? severityFromScore(advisoryScore, advisorySeverity));
  const order = findEcosystem(packageFields.ecosystem ?? '')?.order ?? genericOrder;
  // Every database agrees that it is fixed in the latest one.
  const fixes = [...flaw.advisories, ...flaw.cpes].map(({ fixed }) => fixed).filter((fixed) => fixed !== null);
  const fixed_in = latestVersion(fixes, order);
  const cve_id = worst?.cve_id ?? null;
  const finding: DependencyFinding = {
    ...packageFields,
    cve_id,
    severity,
    cvss_v3,
    epss_score: worst?.epss_score ?? null,
    in_kev: worst?.in_kev ?? (cve_id === null ? false : null),
    malicious,
    fixed_in,
    remediation: [
      describeRemedy(packageFields.package, fixed_in, malicious),
      ...(packageFields.support?.is_supported === false ? [noFixText(packageFields.support)] : []),
    ].join(' '),
    title: advisories.map(({ title }) => title).find((title) => title !== null) ?? worst?.title ?? null,
    aliases: [...flaw.ids, ...flaw.cves.filter((id) => id !== cve_id)],
    matched_by: [...new Set([...advisories.map(({ source }) => source), ...flaw.cpes.map(({ by }) => by)])].sort(),
    confidence: advisories.length > 0 || flaw.cpes.some(({ by }) => by === 'vex') ? 'high' : 'low',
    evidence: [...new Set([...advisories.map(({ id }) => id), ...flaw.cpes.map(({ cpe }) => cpe)])],
  };
  const published = worst?.published ?? advisories[0]?.published ?? null;
  const facts = { ...finding, cvss: worst?.cvss ?? cvss_v3, has_public_poc: worst?.has_public_poc ?? null };
  return { finding, risk: riskScoreOf(facts, published, now) + (malicious ? 100 : 0) };
}

function noFixText({ product, cycle, ends_at }: Support): string {
  return `${product} ${cycle} has had no support${ends_at === null ? '' : ` since ${ends_at}`}: no fix will come for it.`;
}
