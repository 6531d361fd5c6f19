import { type PackageRef, packageIdentity } from '../../analysis/packages/package-ref.ts';
import { CatalogView } from '../../catalog/catalog-view.ts';
import { checkPackages } from '../../operations/code/lib/check-packages.ts';
import type { DependencyFinding } from '../../operations/code/lib/dependency-finding.ts';
import { Evidence, type Verdict } from '../../engine/evidence.ts';
import type { RunnerDeps } from '../../engine/runner.ts';
import { CliError } from '../../exit-codes.ts';

import { formatCount } from '../../engine/summary.ts';
import { documentFormat, readDocument } from './read-dependency-document.ts';
import type { Problem, UnreadItem } from './problem.ts';
import { type Upgrade, recommendUpgrades } from './recommend-upgrades.ts';
import type { FileTree } from './list-files.ts';
import type { Severity } from '../../analysis/severity.ts';

/** One lockfile or SBOM, and how many packages it lists. */
export interface CheckedDocument {
  file: string;
  format: string;
  packages: number;
  /** Why it could not be read, or null. */
  fault: string | null;
}

/** Where a document lists a package. */
interface PackageLocation {
  file: string;
  line: number | null;
  /** `dev`: for development alone; null: to run, or not said. */
  scope: 'dev' | null;
}

interface UncheckedPackage extends PackageLocation {
  package: string;
  version: string;
  ecosystem: string | null;
  reason: string;
}

export interface DependencyReport {
  documents: CheckedDocument[];
  /** Different packages in all documents. */
  packages: number;
  /** Different packages that were left out, being for development alone. */
  omitted: number;
  /** By risk, the highest first; a package of several documents is there for each. */
  findings: (DependencyFinding & PackageLocation)[];
  /** What to upgrade to, the one that ends most findings first. */
  upgrades: Upgrade[];
  unchecked: UncheckedPackage[];
  verdict: Verdict;
}

/** Checks every lockfile and SBOM of the tree against the catalog of this installation; `unread` hears of what was not read. */
export async function checkDependencies(
  { files, root }: FileTree,
  { omitDev }: { omitDev: boolean },
  services: RunnerDeps,
  unread: (what: UnreadItem) => void,
): Promise<DependencyReport> {
  const catalog = services.catalog.current;
  if (catalog === null) throw new CliError('failed', 'there is no catalog yet: run sextant sync');
  const now = services.now();
  const evidence = new Evidence(catalog.generation.sources, now);
  const documents: CheckedDocument[] = [];
  const packages = new Map<string, PackageRef>();
  const omitted = new Set<string>();
  let partly = 0;
  const places = new Map<string, PackageLocation[]>();
  for (const file of files) {
    const format = documentFormat(file.path);
    if (format === null) continue;
    const { read, fault } = readDocument(file, root);
    documents.push({ file: file.path, format, packages: read?.totalCount ?? 0, fault });
    if (fault !== null) unread({ file: file.path, reason: fault });
    if ((read?.gaps.length ?? 0) > 0) partly++;
    for (const gap of read?.gaps ?? []) unread({ file: file.path, reason: gap });
    for (const ref of read?.packages ?? []) {
      const key = packageIdentity(ref);
      if (omitDev && ref.dev === true) {
        omitted.add(key);
        continue;
      }
      packages.set(key, ref);
      const place = { file: file.path, line: ref.line ?? null, scope: ref.dev === true ? ('dev' as const) : null };
      places.set(key, [...(places.get(key) ?? []), place]);
    }
  }
  const { found, unchecked } = await checkPackages([...packages.values()], {
    catalog: new CatalogView(catalog, evidence),
    evidence,
    now,
    signal: new AbortController().signal,
  });
  const missed = documents.filter(({ fault }) => fault !== null).length;
  if (missed > 0) evidence.addGap(`${formatCount(missed, 'document')} could not be read: see unread`);
  if (partly > 0) evidence.addGap(`of ${formatCount(partly, 'document')} not all was understood: see unread`);
  if (unchecked.length > 0)
    evidence.addGap(`${formatCount(unchecked.length, 'package')} could not be checked: see unchecked`);
  const placesOf = (ref: PackageRef): PackageLocation[] => places.get(packageIdentity(ref)) ?? [];
  return {
    documents,
    packages: packages.size,
    omitted: [...omitted].filter((key) => !packages.has(key)).length,
    findings: found.flatMap(({ ref, finding }) => placesOf(ref).map((place) => ({ ...finding, ...place }))),
    upgrades: recommendUpgrades(found.map(({ finding }) => finding)),
    unchecked: unchecked.flatMap(({ ref, reason }) =>
      placesOf(ref).map((place) => ({
        package: ref.name,
        version: ref.version,
        ecosystem: ref.ecosystem,
        reason,
        ...place,
      })),
    ),
    verdict: evidence.verdict([]),
  };
}

/**
 * Whether a package that could not be checked makes the check incomplete. Of a go.mod it does not: what the line `go` says, which is
 * the oldest release that will do and not the one that builds, and a folder that takes the place of a module.
 */
export function makesCheckIncomplete({
  ecosystem,
  package: name,
}: Pick<UncheckedPackage, 'ecosystem' | 'package'>): boolean {
  return !(ecosystem === 'Go' && (name === 'stdlib' || /^\.{0,2}\//.test(name)));
}

/** A finding as a report has it. */
export function dependencyProblem(finding: DependencyReport['findings'][number]): Problem {
  const { cve_id, evidence, title, severity, cvss_v3, file, line, remediation, ecosystem } = finding;
  const rule = cve_id ?? evidence[0] ?? 'unknown';
  const what = title ?? 'A known flaw';
  return {
    check: 'dependencies',
    rule,
    title: what,
    severity: severity === null ? 'unknown' : (severity.toLowerCase() as Severity),
    file,
    line,
    message: `${finding.package} ${finding.version} has ${rule}: ${what}${/[.!?]$/.test(what) ? '' : '.'}`,
    remediation,
    score: cvss_v3,
    fingerprint: `${ecosystem ?? ''}:${finding.package}:${rule}:${file}`,
  };
}
