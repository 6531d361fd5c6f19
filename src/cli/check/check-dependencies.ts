import { type PackageRef, packageIdentity } from '../../analysis/packages/package-ref.ts';
import { checkPackages } from '../../operations/code/lib/check-packages.ts';
import type { ExplainedCve } from '../../operations/code/lib/product-queue.ts';
import type { DependencyFinding } from '../../operations/code/lib/dependency-finding.ts';
import type { Verdict } from '../../engine/evidence.ts';
import { createRecordedView } from '../../engine/recorded-view.ts';
import type { RunnerDeps } from '../../engine/runner.ts';
import { formatCount } from '../../engine/summary.ts';
import { documentFormat, readDocument } from './read-dependency-document.ts';
import type { UnreadItem } from '../../operations/code/lib/report/problem.ts';
import { type Upgrade, recommendUpgrades } from '../../operations/code/lib/recommend-upgrades.ts';
import type { FileTree } from './list-files.ts';

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
  /** `dev`: only for development; null: for production, or not stated. */
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
  /** Different packages that were left out because they are only for development. */
  omitted: number;
  /** Highest risk first; one for each location of the package. */
  findings: (DependencyFinding & PackageLocation)[];
  /** Recommended upgrades, those that fix most findings first. */
  upgrades: Upgrade[];
  unchecked: UncheckedPackage[];
  /** CVEs that name a package, where it cannot be told whether they affect its version. */
  undecided: { package: string; version: string; cve_id: string; reason: string }[];
  /** CVEs that databases name and the maker of the package denies (VEX). */
  denied: { package: string; version: string; cve_id: string; reason: string }[];
  verdict: Verdict;
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
 * Checks every lockfile and SBOM of the tree against the catalog of this installation. `unread`: documents and parts of documents that
 * could not be read.
 */
export async function checkDependencies(
  tree: FileTree,
  { omitDev }: { omitDev: boolean },
  runnerDeps: RunnerDeps,
): Promise<{ report: DependencyReport; unread: UnreadItem[] }> {
  const { documents, packages, locations, omitted, unread, partlyReadCount } = collectPackages(tree, omitDev);
  const view = createRecordedView(runnerDeps);
  const { signal } = new AbortController();
  const { found, undecided, denied, unchecked } = await checkPackages([...packages.values()], { ...view, signal });
  const { evidence } = view;
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
    upgrades: recommendUpgrades(found.map(({ finding }) => finding)),
    unchecked: unchecked.flatMap(({ ref, reason }) =>
      locationsOf(ref).map((location) => ({
        package: ref.name,
        version: ref.version,
        ecosystem: ref.ecosystem,
        reason,
        ...location,
      })),
    ),
    undecided: undecided.map(toExplainedRow),
    denied: denied.map(toExplainedRow),
    verdict: evidence.verdict([]),
  };
  return { report, unread };
}

function collectPackages({ files, root }: FileTree, omitDev: boolean): CollectedPackages {
  const collected: CollectedPackages = {
    documents: [],
    packages: new Map(),
    locations: new Map(),
    omitted: new Set(),
    unread: [],
    partlyReadCount: 0,
  };
  for (const file of files) {
    const format = documentFormat(file.path);
    if (format === null) continue;
    const { read: document, error: fault } = readDocument(file, root);
    const gaps = document?.gaps ?? [];
    const reasons = fault === null ? gaps : [fault, ...gaps];
    collected.documents.push({ file: file.path, format, packages: document?.totalCount ?? 0, fault });
    collected.unread.push(...reasons.map((reason) => ({ file: file.path, reason })));
    if (gaps.length > 0) collected.partlyReadCount++;
    for (const ref of document?.packages ?? []) addPackage(collected, ref, file.path, omitDev);
  }
  return collected;
}

function addPackage(collected: CollectedPackages, ref: PackageRef, file: string, omitDev: boolean): void {
  const { packages, locations, omitted } = collected;
  const key = packageIdentity(ref);
  if (omitDev && ref.dev === true) {
    omitted.add(key);
    return;
  }
  packages.set(key, ref);
  const location: PackageLocation = { file, line: ref.line ?? null, scope: ref.dev === true ? 'dev' : null };
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

function toExplainedRow({ ref, cve_id, reason }: ExplainedCve) {
  return {
    package: ref.name,
    version: ref.version,
    cve_id,
    reason,
  };
}
