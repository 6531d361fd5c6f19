import { findEcosystem } from '../../analysis/packages/ecosystems.ts';
import { genericOrder } from '../../analysis/versions/generic.ts';
import { type DependencyFinding, latestFixedVersion } from '../../operations/code/lib/dependency-finding.ts';

/** The one upgrade of a package that ends most of its findings. */
export interface Upgrade {
  package: string;
  version: string;
  ecosystem: string | null;
  /** The least version that has every fix that is known. */
  to: string;
  /** Findings that it ends. */
  fixes: number;
  /** Findings for which no fix is known. */
  remaining: number;
}

/** One for each package of which a fix is known, the one that ends most findings first. */
export function recommendUpgrades(findings: readonly DependencyFinding[]): Upgrade[] {
  const byPackage = Map.groupBy(findings, ({ ecosystem, package: name, version }) =>
    JSON.stringify([ecosystem, name, version]),
  );
  const upgrades = [...byPackage.values()].flatMap((group) => {
    const { package: name, version, ecosystem } = group[0]!;
    const order = findEcosystem(ecosystem ?? '')?.order ?? genericOrder;
    const fixableCount = group.filter(({ fixed_in }) => fixed_in !== null).length;
    const to = latestFixedVersion(
      group.map(({ fixed_in }) => ({ fixed: fixed_in })),
      order,
    );
    if (to === null) return [];
    return [{ package: name, version, ecosystem, to, fixes: fixableCount, remaining: group.length - fixableCount }];
  });
  return upgrades.sort((a, b) => b.fixes - a.fixes || (a.package < b.package ? -1 : 1));
}
