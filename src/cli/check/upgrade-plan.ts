import { recommendUpgrades, type Upgrade } from '../../operations/code/lib/recommend-upgrades.ts';
import { upgradeCommand } from '../../operations/code/lib/upgrade-command.ts';
import {
  directNames,
  planRemovals,
  planUpgradeSteps,
  type UpgradeStep,
  versionLookup,
} from '../../operations/code/lib/upgrade-steps.ts';
import type { CheckedDocument, DependencyReport, ListedPackage } from './check-dependencies.ts';

/** A document in which a package is to be upgraded. */
interface UpgradePlace {
  file: string;
  /** Direct dependencies that bring it; [] for a direct one; null: the document does not say. */
  brought_by: string[] | null;
  /** Those of them that require exactly their own version of it. */
  released_with: string[];
  /** To run in the folder of the file; null: no command is sure to lead to this version. */
  command: string | null;
}

export interface PlannedUpgrade extends Upgrade {
  places: UpgradePlace[];
}

type Finding = DependencyReport['findings'][number];

/** The fewest changes that fix most of these findings, each with the documents that it is about. */
export function planUpgrades(findings: readonly Finding[], documents: readonly CheckedDocument[]): PlannedUpgrade[] {
  const formats = new Map(documents.map(({ file, format }) => [file, format]));
  return recommendUpgrades(findings).map((upgrade) => {
    const ofPackage = findings.filter(
      ({ package: name, version, ecosystem }) =>
        name === upgrade.package && version === upgrade.version && ecosystem === upgrade.ecosystem,
    );
    const places = [...Map.groupBy(ofPackage, ({ file }) => file)].map(([file, [first]]) => {
      const brought_by = first!.brought_by === null ? null : directNames(first!.brought_by);
      const isDirect = brought_by === null ? null : brought_by.length === 0;
      const command = upgradeCommand(upgrade, formats.get(file) ?? '', isDirect);
      return { file, brought_by, released_with: first!.released_with, command };
    });
    return { ...upgrade, places };
  });
}

/** Malicious packages to remove, then the upgrades as things to do: one for what the same package of the project brings, and has no command of its own. */
export function planSteps(
  upgrades: readonly PlannedUpgrade[],
  findings: readonly Finding[],
  inventory: readonly ListedPackage[],
): UpgradeStep[] {
  const origins = upgrades.map((upgrade) => {
    const { places } = upgrade;
    const isBrought = places.every(({ brought_by, command }) => command === null && (brought_by ?? []).length > 0);
    return {
      upgrade,
      broughtBy: isBrought ? [...new Set(places.flatMap(({ brought_by }) => brought_by ?? []))] : [],
      releasedWith: places[0]!.released_with.filter((name) => places.every((one) => one.released_with.includes(name))),
    };
  });
  const versions = versionLookup(
    inventory.map(({ package: name, version, ecosystem }) => ({ name, version, ecosystem })),
  );
  return [...planRemovals(findings), ...planUpgradeSteps(origins, versions)];
}
