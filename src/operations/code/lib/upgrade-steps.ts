import { z } from 'zod';
import { findEcosystem } from '../../../analysis/packages/ecosystems.ts';
import type { PackageRef } from '../../../analysis/packages/package-ref.ts';
import { genericOrder } from '../../../analysis/versions/generic.ts';
import { latestVersion } from '../../../analysis/versions/version-order.ts';
import type { DependencyFinding } from './dependency-finding.ts';
import { VersionJump, versionJump, type Upgrade } from './recommend-upgrades.ts';
import { compareUrgency, highestEpss, worstSeverity } from './upgrade-order.ts';
import { SEVERITIES } from '../../../analysis/severity.ts';
import { ForeignText } from '../../../engine/foreign-text.ts';

/** Their tools upgrade a package that another one brings by itself. */
const WITHOUT_PARENTS: readonly string[] = ['Go', 'crates.io'];

/** One thing to do: a package of the project to upgrade, and the packages with known flaws that this mends. */
export const UpgradeStep = z.object({
  package: ForeignText.meta({ description: 'What to upgrade, or to remove.' }),
  version: ForeignText.nullable().meta({ description: 'Of it, now; null: the document does not list it.' }),
  ecosystem: ForeignText.nullable(),
  to: ForeignText.nullable().meta({ description: 'null: which version brings the fixes is not known.' }),
  how: z.enum(['itself', 'released_together', 'brings_it', 'remove']).meta({
    description:
      'itself: the flaws are in this package. released_together: it requires exactly its own version of the others. brings_it: it brings the others, and what it requires of them is not known. remove: this version is malicious; `to` is then a version that no advisory names so.',
  }),
  jump: VersionJump,
  fixes: z.number().int(),
  fixes_exploited: z.number().int(),
  remaining: z.number().int().meta({ description: 'Findings in these packages without a known fix.' }),
  worst_severity: z.enum(SEVERITIES).nullable(),
  max_epss: z.number().nullable(),
  packages: z.array(z.object({ package: ForeignText, version: ForeignText, to: ForeignText, jump: VersionJump })),
});
export type UpgradeStep = z.output<typeof UpgradeStep>;

/** An upgrade, and how the document says that its package came in. */
export interface UpgradeOrigin {
  upgrade: Upgrade;
  /** Direct dependencies that bring it; [] where it is one itself; null where the document does not say. */
  broughtBy: readonly string[] | null;
  /** Those of them that require exactly their own version of it. */
  releasedWith: readonly string[];
}

/**
 * What to do about these upgrades, the most urgent first (`compareUrgency`): one step for each direct dependency that brings several. `versionOf`: of a package
 * of the document by ecosystem and name; null where it has none or several.
 */
export function planUpgradeSteps(
  origins: readonly UpgradeOrigin[],
  versionOf: (ecosystem: string | null, name: string) => string | null,
): UpgradeStep[] {
  const groups = Map.groupBy(origins, ({ upgrade, broughtBy, releasedWith }) => {
    const { ecosystem, package: name, version } = upgrade;
    const [only] = releasedWith;
    if (only !== undefined && releasedWith.length === 1 && versionOf(ecosystem, only) === version) {
      return JSON.stringify([ecosystem, only, version]);
    }
    const isItself = broughtBy === null || broughtBy.length === 0 || WITHOUT_PARENTS.includes(ecosystem ?? '');
    return JSON.stringify(isItself ? [ecosystem, name, version] : [ecosystem, broughtBy.toSorted(), null]);
  });
  return [...groups.entries()].map(([key, group]) => stepOf(JSON.parse(key), group, versionOf)).sort(compareUrgency);
}

function stepOf(
  [ecosystem, names, version]: [string | null, string | string[], string | null],
  group: readonly UpgradeOrigin[],
  versionOf: (ecosystem: string | null, name: string) => string | null,
): UpgradeStep {
  const order = findEcosystem(ecosystem ?? '')?.order ?? genericOrder;
  const isBringing = Array.isArray(names);
  const name = isBringing ? names.join(', ') : names;
  const current = isBringing ? (names.length === 1 ? versionOf(ecosystem, names[0]!) : null) : version;
  const upgrades = group.map(({ upgrade }) => upgrade);
  const to = isBringing
    ? null
    : latestVersion(
        upgrades.map(({ to }) => to),
        order,
      );
  const sum = (field: 'fixes' | 'fixes_exploited' | 'remaining') =>
    upgrades.reduce((total, upgrade) => total + upgrade[field], 0);
  return {
    package: name,
    version: current,
    ecosystem,
    to,
    how: isBringing ? 'brings_it' : upgrades.every((one) => one.package === name) ? 'itself' : 'released_together',
    jump: to === null || current === null ? null : versionJump(current, to),
    fixes: sum('fixes'),
    fixes_exploited: sum('fixes_exploited'),
    remaining: sum('remaining'),
    worst_severity: worstSeverity(upgrades.map(({ worst_severity }) => worst_severity)),
    max_epss: highestEpss(upgrades.map(({ max_epss }) => max_epss)),
    packages: upgrades.map(({ package: one, version: from, to: target, jump }) => ({
      package: one,
      version: from,
      to: target,
      jump,
    })),
  };
}

/** What to remove: one step for each malicious version of a package, which ends all its findings. They come before every upgrade. */
export function planRemovals(findings: readonly DependencyFinding[]): UpgradeStep[] {
  const groups = Map.groupBy(findings, ({ ecosystem, package: name, version }) =>
    JSON.stringify([ecosystem, name, version]),
  );
  return [...groups.values()].flatMap((group) => {
    const malicious = group.filter((finding) => finding.malicious);
    if (malicious.length === 0) return [];
    const { package: name, version, ecosystem } = group[0]!;
    const clean = malicious.map(({ fixed_in }) => fixed_in).filter((fixed) => fixed !== null);
    const order = findEcosystem(ecosystem ?? '')?.order ?? genericOrder;
    const to = clean.length < malicious.length ? null : latestVersion(clean, order);
    return [
      {
        package: name,
        version,
        ecosystem,
        to,
        how: 'remove' as const,
        jump: null,
        fixes: group.length,
        fixes_exploited: group.filter(({ in_kev }) => in_kev === true).length,
        remaining: 0,
        worst_severity: worstSeverity(group.map(({ severity }) => severity)),
        max_epss: highestEpss(group.map(({ epss_score }) => epss_score)),
        packages: [],
      },
    ];
  });
}

/** The first names of paths such as `express > qs`. */
export function directNames(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => path.split(' > ')[0]!))];
}

/** The version of a package of the document by ecosystem and name; null where it has none, or several. */
export function versionLookup(
  packages: Iterable<Pick<PackageRef, 'ecosystem' | 'name' | 'version'>>,
): (ecosystem: string | null, name: string) => string | null {
  const versions = new Map<string, string | null>();
  for (const { ecosystem, name, version } of packages) {
    const key = `${ecosystem ?? ''}\n${name}`;
    versions.set(key, versions.has(key) && versions.get(key) !== version ? null : version);
  }
  return (ecosystem, name) => versions.get(`${ecosystem ?? ''}\n${name}`) || null;
}
