import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { findEcosystem } from '../../../analysis/packages/ecosystems.ts';
import { genericOrder } from '../../../analysis/versions/generic.ts';
import { latestVersion } from '../../../analysis/versions/version-order.ts';
import { SEVERITIES } from '../../../analysis/severity.ts';
import type { DependencyFinding } from './dependency-finding.ts';
import { compareUrgency, highestEpss, worstSeverity } from './upgrade-order.ts';

/** `major`: the first number of the version changes. `minor_of_zero`: the second one, of a version 0.x. Null: neither, or not known. */
export const VersionJump = z.enum(['major', 'minor_of_zero']).nullable().meta({
  description: 'major: to another major version; minor_of_zero: to another minor version of 0.x. Either may break.',
});

/** An upgrade of a package that fixes every finding for which a fix is known. */
export const Upgrade = z.object({
  package: ForeignText,
  version: ForeignText,
  ecosystem: ForeignText.nullable(),
  to: ForeignText.meta({ description: 'The lowest version that has every known fix.' }),
  fixes: z.number().int().meta({ description: 'Findings that it fixes.' }),
  fixes_exploited: z.number().int().meta({ description: 'Those of them that are known to be exploited.' }),
  remaining: z.number().int().meta({ description: 'Findings without a known fix.' }),
  worst_severity: z.enum(SEVERITIES).nullable().meta({ description: 'Of the findings that it fixes.' }),
  max_epss: z.number().nullable().meta({ description: 'The highest EPSS score of these.' }),
  jump: VersionJump,
});
export type Upgrade = z.output<typeof Upgrade>;

/** One upgrade for each package with a known fix (`compareUrgency`). None for malicious packages: they are removed. */
export function recommendUpgrades(findings: readonly DependencyFinding[]): Upgrade[] {
  const byPackage = Map.groupBy(findings, ({ ecosystem, package: name, version }) =>
    JSON.stringify([ecosystem, name, version]),
  );
  const upgrades = [...byPackage.values()].flatMap((group) => {
    const { package: name, version, ecosystem } = group[0]!;
    if (group.some(({ malicious }) => malicious)) return [];
    const order = findEcosystem(ecosystem ?? '')?.order ?? genericOrder;
    const fixable = group.filter(({ fixed_in }) => fixed_in !== null);
    const to = latestVersion(
      fixable.map(({ fixed_in }) => fixed_in!),
      order,
    );
    if (to === null) return [];
    const fixes = fixable.length;
    const fixes_exploited = fixable.filter(({ in_kev }) => in_kev === true).length;
    return [
      {
        package: name,
        version,
        ecosystem,
        to,
        fixes,
        fixes_exploited,
        remaining: group.length - fixes,
        worst_severity: worstSeverity(fixable.map(({ severity }) => severity)),
        max_epss: highestEpss(fixable.map(({ epss_score }) => epss_score)),
        jump: versionJump(version, to),
      },
    ];
  });
  return upgrades.sort(compareUrgency);
}

/** What an upgrade jumps over, by Semantic Versioning (2.0.0, 4 and 8): an epoch of PyPI and a `v` are no part of it. */
export function versionJump(from: string, to: string): z.output<typeof VersionJump> {
  const [before, after] = [from, to].map((text) => /^(?:\d+[!:])?[vV=]?(\d+)(?:\.(\d+))?/.exec(text));
  if (before == null || after == null) return null;
  if (Number(before[1]) !== Number(after[1])) return 'major';
  return Number(before[1]) === 0 && Number(before[2] ?? 0) !== Number(after[2] ?? 0) ? 'minor_of_zero' : null;
}
