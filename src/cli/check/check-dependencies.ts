import { type DependencyScope, isOmitted, scopeOf } from '../../analysis/packages/dependency-scope.ts';
import { findDistribution } from '../../analysis/packages/distributions.ts';
import { findEcosystem } from '../../analysis/packages/ecosystems.ts';
import { type PackageRef, packageIdentity } from '../../analysis/packages/package-ref.ts';
import type { CatalogView } from '../../catalog/catalog-view.ts';
import { checkPackages } from '../../operations/code/lib/check-packages.ts';
import type { ExplainedCve } from '../../operations/code/lib/product-queue.ts';
import type { DependencyFinding } from '../../operations/code/lib/dependency-finding.ts';
import { type PossibleFlaw, presentPossible } from '../../operations/code/lib/possible-flaw.ts';
import { packageExtent } from '../../operations/code/lib/package-extent.ts';
import type { AdvisoryExtent } from '../../engine/advisory-extent.ts';
import type { Verdict } from '../../engine/evidence.ts';
import { createRecordedView } from '../../engine/recorded-view.ts';
import type { RunnerDeps } from '../../engine/runner.ts';
import { formatCount } from '../../engine/summary.ts';
import { documentFormat, readDocument } from './read-dependency-document.ts';
import type { UnreadItem } from '../../operations/code/lib/report/problem.ts';
import type { FileTree } from './list-files.ts';

/** One lockfile, SBOM or image, and how many packages it lists. */
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
  /** What it is for alone; null: to run, or not stated. */
  scope: DependencyScope | null;
  /** Shortest paths from direct dependencies: `express > qs`; [] for a direct one; null: the document does not say. */
  brought_by: string[] | null;
  /** Direct dependencies that require exactly their own version of it. */
  released_with: string[];
}

/** A package that is in use, and the documents that list it. */
export interface ListedPackage {
  package: string;
  version: string;
  ecosystem: string | null;
  files: string[];
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
  /** Different packages that were left out because of what they are for. */
  omitted: number;
  /** Highest risk first; one for each location of the package. */
  findings: (DependencyFinding & PackageLocation)[];
  unchecked: UncheckedPackage[];
  /** CVEs that may affect a package, by CPE names that need not be its own. */
  possible: PossibleFlaw[];
  /** CVEs that name a package, where it cannot be told whether they affect its version. */
  undecided: ExplainedRow[];
  /** CVEs that databases name and the maker of the package denies (VEX). */
  denied: ExplainedRow[];
  /** Packages that no source names, whatever the version: nothing is known of them. */
  unnamed: { package: string; version: string; ecosystem: string | null }[];
  /** Of which day the advisories are, and for what they are loaded. */
  data: AdvisoryExtent;
  verdict: Verdict;
}

interface ExplainedRow {
  package: string;
  version: string;
  ecosystem: string | null;
  cve_id: string;
  reason: string;
}

/** The packages of all documents, each with its locations. Keys are `packageIdentity`. */
interface CollectedPackages {
  documents: CheckedDocument[];
  packages: Map<string, PackageRef>;
  locations: Map<string, PackageLocation[]>;
  omitted: Set<string>;
  unread: UnreadItem[];
  /** Documents of which a part was not understood. */
  partlyReadCount: number;
}

/**
 * Checks every lockfile and SBOM of the tree against the catalog of this installation. `inventory`: all their packages. `unread`:
 * documents and parts of documents that could not be read.
 */
export async function checkDependencies(
  tree: FileTree,
  { omit }: { omit: ReadonlySet<DependencyScope> },
  runnerDeps: RunnerDeps,
): Promise<{ report: DependencyReport; inventory: ListedPackage[]; unread: UnreadItem[] }> {
  const { documents, packages, locations, omitted, unread, partlyReadCount } = await collectPackages(tree, omit);
  const view = createRecordedView(runnerDeps);
  const { signal } = new AbortController();
  const { found, possible, undecided, denied, unchecked, unnamed } = await checkPackages([...packages.values()], {
    ...view,
    signal,
  });
  const { evidence } = view;
  const uncheckedKeys = new Set(unchecked.map(({ ref }) => packageIdentity(ref)));
  const checked = [...packages].filter(([key]) => !uncheckedKeys.has(key));
  const unsynced = documentsWithoutAdvisories(checked, locations, view.catalog);
  const unreadableCount = documents.filter(({ fault }) => fault !== null).length;
  if (unreadableCount > 0) evidence.addGap(`${formatCount(unreadableCount, 'document')} could not be read: see unread`);
  if (partlyReadCount > 0)
    evidence.addGap(`of ${formatCount(partlyReadCount, 'document')} not all was understood: see unread`);
  if (unchecked.length > 0)
    evidence.addGap(`${formatCount(unchecked.length, 'package')} could not be checked: see unchecked`);
  const locationsOf = (ref: PackageRef): PackageLocation[] => locations.get(packageIdentity(ref)) ?? [];
  const report = {
    documents,
    packages: packages.size,
    omitted: [...omitted].filter((key) => !packages.has(key)).length,
    findings: found.flatMap(({ ref, finding }) => locationsOf(ref).map((location) => ({ ...finding, ...location }))),
    unchecked: unchecked.flatMap(({ ref, reason }) =>
      locationsOf(ref).map((location) => ({
        package: ref.name,
        version: ref.version,
        ecosystem: ref.ecosystem,
        reason,
        ...location,
      })),
    ),
    possible: possible.map((one) => presentPossible(one, view.catalog)),
    undecided: undecided.map(toExplainedRow),
    denied: denied.map(toExplainedRow),
    unnamed: unnamed.map(({ name, version, ecosystem }) => ({ package: name, version, ecosystem })),
    data: packageExtent([...packages.values()], view),
    verdict: evidence.verdict([]),
  };
  const inventory = [...packages].map(([key, ref]) => ({
    package: ref.name,
    version: ref.version,
    ecosystem: ref.ecosystem,
    files: [...new Set((locations.get(key) ?? []).map(({ file }) => file))],
  }));
  return { report, inventory, unread: [...unread, ...unsynced] };
}

/** Documents with packages for which there are no advisories but the few of the starter catalog: that nothing is found in them says nothing. */
function documentsWithoutAdvisories(
  packages: readonly (readonly [key: string, ref: PackageRef])[],
  locations: ReadonlyMap<string, readonly PackageLocation[]>,
  catalog: CatalogView,
): UnreadItem[] {
  if (catalog.sources.ghsa?.last_success_at != null) return [];
  const missing = new Map<string, Set<string>>();
  for (const [key, { ecosystem }] of packages) {
    const known = ecosystem === null ? null : findEcosystem(ecosystem);
    if (known === null || findDistribution(known.name) !== null || catalog.hasOsvAdvisories(known.name)) continue;
    for (const { file } of locations.get(key) ?? [])
      missing.set(file, (missing.get(file) ?? new Set()).add(known.name));
  }
  return [...missing].map(([file, names]) => ({
    file,
    reason: `no advisories for ${[...names].toSorted().join(', ')} have been synced, so its packages are as good as unchecked (sextant sync osv ghsa)`,
  }));
}

async function collectPackages(
  { files, root }: FileTree,
  omit: ReadonlySet<DependencyScope>,
): Promise<CollectedPackages> {
  const collected: CollectedPackages = {
    documents: [],
    packages: new Map(),
    locations: new Map(),
    omitted: new Set(),
    unread: [],
    partlyReadCount: 0,
  };
  for (const file of files) {
    const format = documentFormat(file);
    if (format === null) continue;
    const { read: document, error: fault } = await readDocument(file, root);
    const gaps = document?.gaps ?? [];
    const reasons = fault === null ? gaps : [fault, ...gaps];
    collected.documents.push({ file: file.path, format, packages: document?.totalCount ?? 0, fault });
    collected.unread.push(...reasons.map((reason) => ({ file: file.path, reason })));
    if (gaps.length > 0) collected.partlyReadCount++;
    for (const ref of document?.packages ?? []) addPackage(collected, ref, file.path, omit);
  }
  return collected;
}

function addPackage(
  collected: CollectedPackages,
  ref: PackageRef,
  file: string,
  omit: ReadonlySet<DependencyScope>,
): void {
  const { packages, locations, omitted } = collected;
  const key = packageIdentity(ref);
  if (isOmitted(ref.ways ?? [], omit)) {
    omitted.add(key);
    return;
  }
  packages.set(key, ref);
  const location: PackageLocation = {
    file,
    line: ref.line ?? null,
    scope: scopeOf(ref.ways ?? []),
    brought_by: ref.broughtBy ?? null,
    released_with: ref.releasedWith ?? [],
  };
  locations.set(key, [...(locations.get(key) ?? []), location]);
}

/**
 * Whether a package that could not be checked makes the check incomplete. Two entries of a go.mod do not: the `go` line, because it is
 * the minimum release and not the one that builds, and a local folder that replaces a module.
 */
export function makesCheckIncomplete(unchecked: Pick<UncheckedPackage, 'ecosystem' | 'package'>): boolean {
  const { ecosystem, package: name } = unchecked;
  return !(ecosystem === 'Go' && (name === 'stdlib' || /^\.{0,2}\//.test(name)));
}

function toExplainedRow({ ref, cve_id, reason }: ExplainedCve): ExplainedRow {
  return {
    package: ref.name,
    version: ref.version,
    ecosystem: ref.ecosystem,
    cve_id,
    reason,
  };
}
