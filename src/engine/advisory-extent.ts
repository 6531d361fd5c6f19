import { z } from 'zod';
import type { Evidence } from './evidence.ts';

/** Which advisories were asked, so that "no known flaw" says of which day and of what. */
export const AdvisoryExtent = z.object({
  advisories: z.array(
    z.object({
      source: z.enum(['osv', 'ghsa']),
      as_of: z.string().nullable().meta({ description: 'Day of the data; null: not loaded.' }),
      is_old: z.boolean().meta({ description: 'Older than its limit: what came since is not in it.' }),
      is_starter: z.boolean().meta({ description: 'Only the few of the starter catalog.' }),
    }),
  ),
  loaded: z.array(z.string()).meta({ description: 'Ecosystems of these packages whose OSV advisories are loaded.' }),
  not_loaded: z.array(z.string()),
  text: z.string().meta({ description: 'The same in words.' }),
});
export type AdvisoryExtent = z.output<typeof AdvisoryExtent>;

const NAMES = { osv: 'OSV', ghsa: 'GitHub' } as const;
const MAX_NAMED = 5;

/** The extent of the advisories that were asked for packages of these ecosystems. */
export function advisoryExtent(
  ecosystems: Iterable<string>,
  hasOsvAdvisories: (ecosystem: string) => boolean,
  evidence: Pick<Evidence, 'dataOf'>,
): AdvisoryExtent {
  const asked = [...new Set(ecosystems)].sort();
  const loaded = asked.filter(hasOsvAdvisories);
  const not_loaded = asked.filter((name) => !loaded.includes(name));
  const advisories = (['osv', 'ghsa'] as const).map((source) => ({ source, ...evidence.dataOf(source) }));
  return { advisories, loaded, not_loaded, text: describeExtent({ advisories, loaded, not_loaded }) };
}

/** To follow a sentence: `in the advisories of 2026-11-14 for npm and PyPI; those of OSV for Go are not loaded`. */
function describeExtent({ advisories, loaded, not_loaded }: Omit<AdvisoryExtent, 'text'>): string {
  const known = advisories.filter(({ as_of }) => as_of !== null);
  if (known.length === 0) return 'and no advisories are loaded';
  const days = new Set(known.map(({ as_of }) => as_of));
  const isWhole = known.length === advisories.length;
  const of = ({ source, as_of, is_starter }: (typeof known)[number]) =>
    `${is_starter ? 'the starter catalog' : NAMES[source]} of ${as_of}`;
  const which = days.size === 1 && isWhole ? `of ${known[0]!.as_of}` : `of ${joinAnd(known.map(of))}`;
  const scope = loaded.length === 0 ? '' : ` for ${named(loaded)}`;
  const old = known.filter(({ is_old }) => is_old).map(({ source }) => NAMES[source]);
  const missing = advisories.filter(({ as_of }) => as_of === null).map(({ source }) => NAMES[source]);
  return [
    `in the advisories ${which}${scope}`,
    ...(old.length === 0
      ? []
      : [
          `${old.length === known.length ? 'they are' : `those of ${joinAnd(old)} are`} old: what came since is not in them`,
        ]),
    ...(missing.length === 0 ? [] : [`those of ${joinAnd(missing)} are not loaded`]),
    ...(not_loaded.length === 0 || missing.includes(NAMES.osv)
      ? []
      : [`those of OSV for ${named(not_loaded)} are not loaded`]),
  ].join('; ');
}

function named(ecosystems: readonly string[]): string {
  const more = ecosystems.length - MAX_NAMED;
  return more > 0 ? `${ecosystems.slice(0, MAX_NAMED).join(', ')} and ${more} more` : joinAnd(ecosystems);
}

/** `npm, PyPI and Go` */
function joinAnd(names: readonly string[]): string {
  return names.length <= 1 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
