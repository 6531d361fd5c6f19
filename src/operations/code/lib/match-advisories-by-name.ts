import {
  type AdvisoryMatch,
  isWithdrawn,
  matchAdvisory,
  type PackageAdvisory,
} from '../../../analysis/packages/match-advisory.ts';
import type { Ecosystem } from '../../../analysis/packages/ecosystems.ts';
import { advisoryIds } from '../../../analysis/packages/package-vulnerabilities.ts';
import type { PackageRef } from '../../../analysis/packages/package-ref.ts';
import type { CatalogView } from '../../../catalog/catalog-view.ts';

interface PackageMatches {
  name: string;
  matches: AdvisoryMatch[];
  /** Ids of all advisories of the package, whatever its version. */
  allIds: Set<string>;
  /** Advisories that name the package and no version. */
  withoutVersions: PackageAdvisory[];
}

/** Matches the advisories of a package with its version, grouped by package name: a Maven artifact without its group may mean several packages. */
export function matchAdvisoriesByName(
  ref: PackageRef,
  ecosystem: Ecosystem,
  version: unknown,
  catalog: CatalogView,
): PackageMatches[] {
  const byName = new Map<string, PackageMatches>();
  for (const advisory of catalog.packageAdvisories(ecosystem.name, ref.name)) {
    if (isWithdrawn(advisory)) continue;
    const name = ecosystem.name === 'Maven' ? advisory.name : ref.name;
    const matched = byName.get(name) ?? { name, matches: [], allIds: new Set(), withoutVersions: [] };
    byName.set(name, matched);
    for (const id of advisoryIds(advisory)) matched.allIds.add(id);
    if (advisory.spans.length === 0 && advisory.versions.length === 0) matched.withoutVersions.push(advisory);
    const match = matchAdvisory(advisory, ref.version, version, ecosystem.order);
    if (match !== null) matched.matches.push(match);
  }
  return [...byName.values()];
}
