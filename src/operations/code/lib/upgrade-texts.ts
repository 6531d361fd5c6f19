import { formatCount } from '../../../engine/summary.ts';
import type { Upgrade } from './recommend-upgrades.ts';
import type { UpgradeStep } from './upgrade-steps.ts';

const MAX_NAMES_SHOWN = 6;

/** What is not known of packages that another one brings. */
export const BRINGS_NOTE =
  'What it requires of them is not known: upgrade it, or them alone where it allows that, or override their versions.';

/** For people who ran a malicious package. */
export const MALICIOUS_NOTE = 'treat machines that ran it as compromised, and secrets on them as known to others';

/** `Upgrade rails 6.1.4 to 6.1.7.9 or later: ends 12 known flaws in actionpack, activerecord, ...`, without a full stop. */
export function describeStep(step: UpgradeStep): string {
  const { package: name, version, to, how, packages, fixes, fixes_exploited, remaining, jump } = step;
  const subject = version === null ? name : `${name} ${version}`;
  if (how === 'remove') {
    const clean = to === null ? '' : `; the first version after it that no advisory names so is ${to}`;
    return `Remove ${subject}, which is malicious: ${MALICIOUS_NOTE}${clean}`;
  }
  const shown = packages.slice(0, MAX_NAMES_SHOWN);
  const more = packages.length > shown.length ? ` and ${packages.length - shown.length} more` : '';
  const ends = `ends ${formatCount(fixes, 'known flaw')}`;
  const targets = shown.map(
    (one) => `${one.package} ${one.version} to ${one.to}${one.jump === null ? '' : ` (${describeJump(one.jump)})`}`,
  );
  const head =
    how === 'brings_it'
      ? `Upgrade what ${subject} brings: ${targets.join(', ')}${more}, or later: ${ends}`
      : `Upgrade ${subject} to ${to} or later: ${ends}${how === 'itself' ? '' : ` in ${shown.map((one) => one.package).join(', ')}${more}, which it requires in its own version`}`;
  return [
    head,
    ...(fixes_exploited === 0 ? [] : [`${fixes_exploited} of them known exploited`]),
    ...(jump === null ? [] : [describeJump(jump)]),
    ...(remaining === 0 ? [] : [`for ${remaining} no fix is known`]),
  ].join('; ');
}

/** `fixes 3 of 4 findings, 1 of them known exploited; for 1 no fix is known` */
export function describeFixes({ fixes, fixes_exploited, remaining, jump }: Upgrade): string {
  const exploited = fixes_exploited === 0 ? '' : `, ${fixes_exploited} of them known exploited`;
  const rest = remaining === 0 ? '' : `; for ${remaining} no fix is known`;
  const over = jump === null ? '' : `; ${describeJump(jump)}`;
  return `fixes ${fixes} of ${formatCount(fixes + remaining, 'finding')}${exploited}${rest}${over}`;
}

/** What a jump means for who upgrades. */
export function describeJump(jump: NonNullable<Upgrade['jump']>): string {
  return jump === 'major' ? 'a new major version' : 'a new minor version of 0.x';
}
