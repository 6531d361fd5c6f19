import { z } from 'zod';
import { ECOSYSTEMS } from '../../analysis/packages/ecosystems.ts';
import { DEPENDENCY_SCOPES, scopeOf } from '../../analysis/packages/dependency-scope.ts';
import { type PackageRef, packageIdentity, packageLabel } from '../../analysis/packages/package-ref.ts';
import { cleanText, displayText } from '../../analysis/display-text.ts';
import { lookupOutputSchema, type NextCall, defineOperation } from '../../engine/operation.ts';
import { AdvisoryExtent } from '../../engine/advisory-extent.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { SupportField } from '../../engine/product-support.ts';
import { capitalize, formatCount, joinSummary } from '../../engine/summary.ts';
import { checkPackages, type PackageFinding } from './lib/check-packages.ts';
import { describeUnnamed } from './lib/unnamed-packages.ts';
import { packageExtent } from './lib/package-extent.ts';
import { PossibleFlaw, presentPossible } from './lib/possible-flaw.ts';
import { directNames, planRemovals, planUpgradeSteps, UpgradeStep, versionLookup } from './lib/upgrade-steps.ts';
import type { ExplainedCve } from './lib/product-queue.ts';
import { countBySeverity, SEVERITIES } from '../../analysis/severity.ts';
import { DependencyFinding } from './lib/dependency-finding.ts';
import { supportOfPackage } from './lib/package-support.ts';
import { recommendUpgrades, Upgrade } from './lib/recommend-upgrades.ts';
import { MAX_PACKAGES_PER_CALL, MAX_PACKAGES_PER_DOCUMENT, parsePackagesInput } from './lib/parse-packages-input.ts';

const MAX_FINDINGS = 1000;
const MAX_UNSUPPORTED = 100;
const MAX_UNDECIDED = 50;
const MAX_POSSIBLE = 100;
const MAX_UNNAMED = 1000;
const MAX_NO_KNOWN_FLAW = 1000;
const MAX_NAME_CHARS = 256;

/** `UNKNOWN` if no source gives one. */
const COUNTED_SEVERITIES = [...SEVERITIES, 'UNKNOWN'] as const;

const CountField = z.number().int();
const NameField = z.string().max(MAX_NAME_CHARS);

const PackageField = z.union([
  z.string().max(2 * MAX_NAME_CHARS),
  z.strictObject({
    name: NameField.optional(),
    version: NameField.optional(),
    ecosystem: NameField.optional(),
    purl: z
      .string()
      .max(2 * MAX_NAME_CHARS)
      .optional(),
  }),
]);

const ExplainedRow = z.object({
  package: ForeignText,
  version: ForeignText,
  ecosystem: ForeignText.nullable(),
  cve_id: z.string(),
  reason: ForeignText,
});

export const checkDependencies = defineOperation({
  id: 'check_dependencies',
  area: 'code',
  title: 'Vulnerable dependencies',
  description: `Known vulnerabilities of packages, by OSV, GitHub advisories and CPE ranges, with the version order of each ecosystem (${ECOSYSTEMS.slice(
    0,
    8,
  )
    .map(({ name }) => name)
    .join(
      ', ',
    )}): a list of packages, a lockfile or an SBOM, ${MAX_PACKAGES_PER_CALL} packages a call. One finding for each flaw, however many ids it has; sorted by risk.`,
  route: 'POST /v1/check/dependencies',
  input: z.strictObject({
    packages: z
      .array(PackageField)
      .max(MAX_PACKAGES_PER_CALL)
      .optional()
      .meta({
        description: `{name, version, ecosystem?}, {purl}, "name@version" or a purl; at most ${MAX_PACKAGES_PER_CALL}.`,
      }),
    purls: z
      .array(z.string().max(2 * MAX_NAME_CHARS))
      .max(MAX_PACKAGES_PER_CALL)
      .optional()
      .meta({ description: 'Package URLs.' }),
    sbom: z
      .union([z.string(), z.record(z.string(), z.unknown())])
      .optional()
      .meta({ description: 'CycloneDX or SPDX document.' }),
    lockfile: z.string().optional().meta({ description: 'Text of a lockfile or manifest.' }),
    filename: z
      .string()
      .max(MAX_NAME_CHARS)
      .optional()
      .meta({ description: 'Of the lockfile: package-lock.json, go.mod, ...' }),
    offset: z
      .number()
      .int()
      .min(0)
      .max(1_000_000)
      .default(0)
      .meta({ description: 'Packages of an sbom or lockfile to skip.' }),
    limit: z
      .number()
      .int()
      .min(1)
      .max(MAX_PACKAGES_PER_DOCUMENT)
      .optional()
      .meta({ description: `Packages of an sbom or lockfile to check; default ${MAX_PACKAGES_PER_CALL}.` }),
  }),
  output: lookupOutputSchema('DependencyCheck', {
    findings: z.array(
      DependencyFinding.extend({
        line: z.number().int().nullable().meta({ description: 'Of the lockfile, from 1.' }),
        scope: z.enum(DEPENDENCY_SCOPES).nullable().meta({
          description:
            'What it is for alone, where the document says so (dev: to build and test); null: to run, or not known.',
        }),
        brought_by: z.array(ForeignText).nullable().meta({
          description:
            'Shortest paths from direct dependencies: "express > body-parser > qs"; []: it is one itself; null: the document does not say.',
        }),
      }),
    ),
    upgrades: z.array(Upgrade).meta({
      description:
        'One for each package with a known fix: first what is exploited, then by severity, likely exploitation, and findings fixed.',
    }),
    plan: z.array(UpgradeStep).meta({
      description:
        'Things to do, the most urgent first: malicious packages to remove, then the upgrades, one for each package of the project that brings others with known flaws.',
    }),
    total: z.number().int().meta({ description: 'Findings in all.' }),
    by_severity: z.object({
      CRITICAL: CountField,
      HIGH: CountField,
      MEDIUM: CountField,
      LOW: CountField,
      UNKNOWN: CountField,
    }),
    packages_given: z.number().int().meta({ description: 'Different packages in the input.' }),
    packages_checked: z.number().int(),
    packages_vulnerable: z.number().int(),
    possible: z.array(PossibleFlaw).meta({
      description: `CVEs that may affect a package, by a CPE name that may be its own: no findings, and no sign of safety; ${MAX_POSSIBLE} at most.`,
    }),
    possible_total: CountField,
    undecided: z.array(ExplainedRow).meta({
      description: `CVEs that name a package but no version that could be compared; ${MAX_UNDECIDED} at most.`,
    }),
    undecided_total: z.number().int(),
    denied: z.array(ExplainedRow).meta({
      description: `CVEs that databases name and the maker of the package denies (VEX): no findings; ${MAX_UNDECIDED} at most.`,
    }),
    denied_total: z.number().int(),
    unchecked: z
      .array(
        z.object({
          package: ForeignText,
          version: ForeignText,
          ecosystem: ForeignText.nullable(),
          reason: ForeignText,
        }),
      )
      .meta({ description: 'Packages that could not be checked, and why.' }),
    unnamed: z.array(z.object({ package: ForeignText, version: ForeignText })).meta({
      description: `Packages that no loaded source names, whatever the version: not known to be safe; ${MAX_UNNAMED} at most.`,
    }),
    unnamed_total: CountField,
    no_known_flaw: z.array(z.object({ package: ForeignText, version: ForeignText })).meta({
      description: `Packages that sources name, and for whose version none has a flaw, possible or open ones included; ${MAX_NO_KNOWN_FLAW} at most.`,
    }),
    no_known_flaw_total: CountField,
    data: AdvisoryExtent.meta({ description: 'Of which day the advisories are, and for what they are loaded.' }),
    unsupported: z
      .array(z.object({ package: ForeignText, version: ForeignText, support: SupportField }))
      .meta({ description: 'Packages, with findings or without, for which no fix will come.' }),
    not_reached: z
      .array(ForeignText)
      .meta({ description: `Beyond the ${MAX_PACKAGES_PER_CALL} of one call: go on with next_offset.` }),
    next_offset: z.number().int().nullable(),
    skipped_due_to_rate_limit: z.array(z.string()),
  }),
  cost: (input) => (input.packages as readonly unknown[] | undefined)?.length ?? 0,
  prepareInput: parsePackagesInput,
  isQuickToPrepare: ({ sbom, lockfile }) => sbom === undefined && lockfile === undefined,
  bulk: { listField: 'packages', canonical: (item) => packageLabel(item as PackageRef) },
  examples: [
    { title: 'Two packages', input: { packages: ['pkg:npm/lodash@4.17.20', 'jinja2@2.4.1'] } },
    { title: 'A lockfile', input: { lockfile: 'django==3.2.1\nrequests==2.31.0\n', filename: 'requirements.txt' } },
  ],
  tool: {
    description:
      'Are these packages vulnerable, and which version fixes them: names with versions, purls, a lockfile or an SBOM. For one CVE use cve_lookup; for code use check_injection.',
    openWorld: false,
    longRunning: true,
  },
  falsifiableFields: ['findings[].cve_id', 'findings[].aliases', 'findings[].fixed_in', 'findings[].in_kev'],
  async answer(input, context) {
    const { packages: parsedPackages, document } = await parsePackagesInput(input);
    const { totalCount, remainingLabels, nextOffset, gaps } = document;
    const packages = [...new Map(parsedPackages.map((ref) => [packageIdentity(ref), ref])).values()];
    const { found, possible, undecided, denied, unchecked, unnamed } = await checkPackages(packages, context);
    const findings = found.map(({ finding }) => finding);
    const unsupported = packages
      .map((ref) => ({
        package: clipToName(ref.name),
        version: clipToName(ref.version),
        support: supportOfPackage(ref, context),
      }))
      .filter(({ support }) => support?.is_supported === false);
    const skipped = [...context.skipped];
    const { catalog, evidence } = context;
    const data = packageExtent(packages, context);
    const upgrades = recommendUpgrades(findings).map((upgrade) => ({
      ...upgrade,
      package: clipToName(upgrade.package),
      version: clipToName(upgrade.version),
    }));
    if (unchecked.length > 0)
      evidence.addGap(`${formatCount(unchecked.length, 'package')} could not be checked: see unchecked`);
    for (const gap of gaps) evidence.addGap(`of the document: ${gap}`);
    if (nextOffset !== null)
      evidence.addGap(`${formatCount(totalCount - nextOffset, 'package')} not reached: see next_offset`);
    if (skipped.length > 0)
      evidence.addGap(`${formatCount(skipped.length, 'package')} skipped: the caller's quota is used up`);
    if (findings.length > MAX_FINDINGS)
      evidence.addGap(`the ${MAX_FINDINGS} riskiest of ${findings.length} findings are listed`);
    const checked = packages.length - unchecked.length;
    const notClean = new Set([...found, ...possible, ...undecided, ...unchecked].map(({ ref }) => ref));
    for (const ref of unnamed) notClean.add(ref);
    const noKnownFlaw = packages.filter((ref) => !notClean.has(ref));
    const vulnerable = new Set(found.map(({ ref }) => ref)).size;
    return {
      findings: found.slice(0, MAX_FINDINGS).map(({ ref, finding }) => ({
        ...sanitizeFinding(finding),
        line: ref.line ?? null,
        scope: scopeOf(ref.ways ?? []),
        brought_by: ref.broughtBy?.map(clipToName) ?? null,
      })),
      upgrades,
      plan: [...planRemovals(findings).map(clipStep), ...planOf(upgrades, found, packages)],
      total: findings.length,
      by_severity: countFindings(findings),
      packages_given: totalCount,
      packages_checked: checked,
      packages_vulnerable: vulnerable,
      possible: possible.slice(0, MAX_POSSIBLE).map((one) => presentPossible(one, catalog)),
      possible_total: possible.length,
      undecided: undecided.slice(0, MAX_UNDECIDED).map(presentExplainedCve),
      undecided_total: undecided.length,
      denied: denied.slice(0, MAX_UNDECIDED).map(presentExplainedCve),
      denied_total: denied.length,
      unchecked: unchecked.map(({ ref, reason }) => ({
        package: clipToName(ref.name),
        version: clipToName(ref.version),
        ecosystem: ref.ecosystem === null ? null : clipToName(ref.ecosystem),
        reason: clipToName(reason),
      })),
      unnamed: unnamed.slice(0, MAX_UNNAMED).map(presentName),
      unnamed_total: unnamed.length,
      no_known_flaw: noKnownFlaw.slice(0, MAX_NO_KNOWN_FLAW).map(presentName),
      no_known_flaw_total: noKnownFlaw.length,
      data,
      unsupported: unsupported.slice(0, MAX_UNSUPPORTED),
      not_reached: remainingLabels.map(clipToName),
      next_offset: nextOffset,
      skipped_due_to_rate_limit: skipped.map(clipToName),
      summary: summaryOf(findings, {
        vulnerable,
        checked,
        given: totalCount,
        unsupported: unsupported.length,
        possible: possible.length,
        undecided: undecided.length,
        denied: denied.length,
        unnamed: unnamed.length,
        extent: data.text,
      }),
    };
  },
  nextCalls({ findings }): NextCall[] {
    const [first] = findings;
    if (first?.cve_id == null) return [];
    return [{ tool: 'cve_lookup', input: first.cve_id, reason: `The riskiest flaw found, in ${first.package}.` }];
  },
});

function planOf(
  upgrades: readonly Upgrade[],
  found: readonly PackageFinding[],
  packages: readonly PackageRef[],
): UpgradeStep[] {
  const refs = new Map(found.map(({ ref, finding }) => [keyOf(finding), ref]));
  const origins = upgrades.map((upgrade) => {
    const { broughtBy, releasedWith = [] } = refs.get(keyOf(upgrade)) ?? {};
    return { upgrade, broughtBy: broughtBy === undefined ? null : directNames(broughtBy), releasedWith };
  });
  return planUpgradeSteps(origins, versionLookup(packages)).map(clipStep);
}

function clipStep(step: UpgradeStep): UpgradeStep {
  const { package: name, version } = step;
  return { ...step, package: clipToName(name), version: version === null ? null : clipToName(version) };
}

function keyOf({ package: name, version, ecosystem }: Pick<Upgrade, 'package' | 'version' | 'ecosystem'>): string {
  return JSON.stringify([clipToName(name), clipToName(version), ecosystem]);
}

function presentExplainedCve({ ref, ecosystem, cve_id, reason }: ExplainedCve) {
  return {
    package: clipToName(ref.name),
    version: clipToName(ref.version),
    ecosystem,
    cve_id,
    reason: displayText(reason, MAX_NAME_CHARS),
  };
}

function presentName({ name, version }: PackageRef) {
  return { package: clipToName(name), version: clipToName(version) };
}

function clipToName(name: string): string {
  return displayText(name, MAX_NAME_CHARS);
}

function sanitizeFinding(finding: DependencyFinding): DependencyFinding {
  return {
    ...finding,
    package: clipToName(finding.package),
    version: clipToName(finding.version),
    remediation: cleanText(finding.remediation),
    title: finding.title === null ? null : clipToName(finding.title),
  };
}

/** By severity, the highest first. */
function countFindings(findings: readonly DependencyFinding[]): Record<(typeof COUNTED_SEVERITIES)[number], number> {
  return countBySeverity(
    COUNTED_SEVERITIES,
    findings.map(({ severity }) => ({ severity: severity ?? 'UNKNOWN' })),
  );
}

interface PackageCounts {
  vulnerable: number;
  checked: number;
  given: number;
  unsupported: number;
  possible: number;
  undecided: number;
  denied: number;
  /** Of the checked ones: no source names them. */
  unnamed: number;
  /** Of the data, as words that follow a sentence. */
  extent: string;
}

function summaryOf(
  findings: readonly DependencyFinding[],
  { vulnerable, checked, given, unsupported, possible, undecided, denied, unnamed, extent }: PackageCounts,
): string {
  const scope = checked < given ? `${checked} of ${formatCount(given, 'package')}` : formatCount(checked, 'package');
  const endOfLife = unsupported > 0 && `${formatCount(unsupported, 'package')} without support: no fix will come.`;
  const open = undecided > 0 && `${formatCount(undecided, 'CVE')} cannot be told: see undecided.`;
  const maybe =
    possible > 0 &&
    `${formatCount(possible, 'CVE')} may affect ${checked === 1 ? 'it' : 'them'}, by CPE names alone: see possible.`;
  const unknown = unnamed > 0 && `${capitalize(describeUnnamed(unnamed, checked, given))}.`;
  const denials = denied > 0 && `${formatCount(denied, 'CVE')} denied by the maker: see denied.`;
  if (findings.length === 0) {
    const isOpen = possible > 0 || undecided > 0;
    if (!isOpen && unnamed > 0 && unnamed === checked) {
      return joinSummary(`Not known: ${describeUnnamed(unnamed, checked, given)}, ${extent}.`, endOfLife, denials);
    }
    const verdict = isOpen
      ? `No certain vulnerability in the ${scope} checked`
      : `No known vulnerability in the ${scope} checked`;
    return joinSummary(`${verdict}, ${extent}.`, unknown, maybe, open, endOfLife, denials);
  }
  const severities = Object.entries(countFindings(findings)).filter(([, count]) => count > 0);
  const maliciousCount = new Set(
    findings.filter(({ malicious }) => malicious).map(({ package: name, version }) => `${name} ${version}`),
  ).size;
  const exploitedCount = findings.filter(({ in_kev }) => in_kev === true).length;
  return joinSummary(
    `${formatCount(findings.length, 'known flaw')} in ${vulnerable} of the ${scope} checked: ${severities.map(([name, count]) => `${count} ${name}`).join(', ')}.`,
    maliciousCount > 0 && `${formatCount(maliciousCount, 'malicious package')}: remove first.`,
    exploitedCount > 0 && `${exploitedCount} known to be exploited.`,
    unknown,
    maybe,
    endOfLife,
    open,
    denials,
    `First: ${findings[0]!.cve_id ?? findings[0]!.evidence[0]} in ${findings[0]!.package} ${findings[0]!.version}. ${findings[0]!.remediation}`,
  );
}
