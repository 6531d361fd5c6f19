import { z } from 'zod';
import { findEcosystem } from '../../../analysis/packages/ecosystems.ts';
import { genericOrder } from '../../../analysis/versions/generic.ts';
import { latestVersion } from '../../../analysis/versions/version-order.ts';
import type { DependencyFinding } from './dependency-finding.ts';

/** An upgrade of a package that fixes every finding for which a fix is known. */
export const Upgrade = z.object({
  package: z.string(),
  version: z.string(),
  ecosystem: z.string().nullable(),
  to: z.string().meta({ description: 'The lowest version that has every known fix.' }),
  fixes: z.number().int().meta({ description: 'Findings that it fixes.' }),
  remaining: z.number().int().meta({ description: 'Findings without a known fix.' }),
});
export type Upgrade = z.output<typeof Upgrade>;

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
