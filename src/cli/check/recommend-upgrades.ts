import { findEcosystem } from '../../analysis/packages/ecosystems.ts';
import { genericOrder } from '../../analysis/versions/generic.ts';
import { latestVersion } from '../../analysis/versions/version-order.ts';
import type { DependencyFinding } from '../../operations/code/lib/dependency-finding.ts';

/** An upgrade of a package that fixes every finding for which a fix is known. */
export interface Upgrade {
  package: string;
  version: string;
  ecosystem: string | null;
  /** The lowest version that has every known fix. */
  to: string;
  /** Number of findings that it fixes. */
  fixes: number;
  /** Number of findings without a known fix. */
  remaining: number;
}

/** One upgrade for each package with a known fix; those that fix most findings first. */
export function recommendUpgrades(findings: readonly DependencyFinding[]): Upgrade[] {
  const byPackage = Map.groupBy(findings, ({ ecosystem, package: name, version }) =>
    JSON.stringify([ecosystem, name, version]),
  );
  const upgrades = [...byPackage.values()].flatMap((group) => {
    const { package: name, version, ecosystem } = group[0]!;
    const order = findEcosystem(ecosystem ?? '')?.order ?? genericOrder;
    const fixableCount = group.filter(({ fixed_in }) => fixed_in !== null).length;
    const to = latestVersion(
      group.map(({ fixed_in }) => fixed_in).filter((fixed) => fixed !== null),
      order,
    );
    if (to === null) return [];
    return [{ package: name, version, ecosystem, to, fixes: fixableCount, remaining: group.length - fixableCount }];
  });
  return upgrades.sort((a, b) => b.fixes - a.fixes || (a.package < b.package ? -1 : 1));
}
