import type { z } from 'zod';
import { isoDay } from '../../../analysis/iso-time.ts';
import { productName } from '../../../analysis/cve/product-name.ts';
import type { Answer } from '../../../engine/operation.ts';
import type { CveRecord } from './schemas.ts';

type Cve = Answer<typeof CveRecord>;
type Row = z.output<typeof CveRecord>['affected_products'][number];

/** The rule that sets the day, as a reader knows it. */
export const ACTION_RULES: Readonly<Record<Cve['action']['rule'], string>> = {
  kev_due_date: "CISA's known-exploited catalog",
  cisa_bod_26_04: 'CISA BOD 26-04',
  risk_score: 'the risk score',
  rejected: 'the rejection',
};

/** How soon to act, as a reader is told. */
export const URGENCY_WORDS: Readonly<Record<Cve['action']['urgency'], string>> = {
  immediate: 'immediate',
  urgent: 'urgent',
  scheduled: 'scheduled',
  routine: 'routine',
  unknown: 'not known how soon',
  none: 'nothing to do',
};

/** What to do about a CVE: `Update apache log4j to 2.15.0 or later`. */
export function updateAdvice(cve: Cve): string {
  const { patch_available, fix } = cve;
  const [first] = vulnerableProducts(cve);
  const fixed = cve.affected_products.find(
    ({ vulnerable, version_end_excluding }) => vulnerable && version_end_excluding,
  );
  const name = fixed === undefined ? first?.[0] : productName(fixed);
  if (patch_available === false) return 'No fix exists, say its sources: isolate or replace it';
  const missing = fix.support?.filter(({ is_released }) => is_released === false) ?? [];
  const versions = fix.versions.filter((version) => missing.every((one) => one.version !== version));
  if (versions.length === 1) return `Update ${name} to ${versions[0]} or later`;
  if (versions.length > 1) return `Update ${name} to ${oneOf(inNumberOrder(versions))}, or later of the same line`;
  if (missing[0] !== undefined) return `Move ${name} to ${missing[0].move_to?.cycle ?? 'a newer release line'}`;
  if (patch_available === true)
    return `Update${name === undefined ? '' : ` ${name}`}: a fix exists, no source names its version`;
  if (fix.kind === 'advisory') return 'Read the advisory: whether there is a fix is not known here';
  return 'Whether there is a fix is not known: no source names one';
}

/**
 * Where a fixed version is of a release line whose security support has ended or ends soon: that it is the smallest fix, and where to
 * move. Null: no fixed version is of such a line, or it is not known.
 */
export function supportAdvice({ fix }: Cve, now: Date): string | null {
  const support = fix.support ?? [];
  return support.length < fix.versions.length ? null : describeEndOfSupport(support, now);
}

/** The same of any fixed versions with the support of their lines. */
export function describeEndOfSupport(support: NonNullable<Cve['fix']['support']>, now: Date): string | null {
  const ending = support.filter(({ is_supported, move_to }) => !is_supported || move_to !== null);
  const [first] = ending;
  // One of them is of a line that gets fixes.
  if (first === undefined || ending.length < support.length) return null;
  const next = ending.find(({ move_to }) => move_to !== null)?.move_to ?? null;
  const until = next?.ends_at == null ? '' : ` (fixes until ${next.ends_at})`;
  const advice = next === null ? 'no newer line is known to get fixes' : `move to ${next.cycle}${until}`;
  if (ending.length === 1 && first.is_released === false) {
    return `No release ${first.version} is known: the ${first.cycle} line ended with ${first.latest}: ${advice}.`;
  }
  if (ending.every(({ is_supported }) => is_supported)) return describeLivingLines(ending, next);
  const smallest =
    ending.length === 1
      ? `${first.version} is the smallest fix, but support of the ${first.cycle} line`
      : 'These are the smallest fixes, but support of their lines';
  return `${smallest} ${endInWords(ending, now)}: ${advice}.`;
}

/** Lines that get fixes for a while yet: until when, and which one gets them longer. */
function describeLivingLines(
  lines: NonNullable<Cve['fix']['support']>,
  next: { cycle: string; ends_at: string | null } | null,
): string {
  const [first] = lines;
  const days = lines.flatMap(({ ends_at }) => ends_at ?? []);
  const until = days.length === 0 ? '' : ` until ${days.reduce((a, b) => (a < b ? b : a))}`;
  const smallest =
    lines.length === 1
      ? `${first!.version} is the smallest fix; the ${first!.cycle} line gets security fixes${until}`
      : `These are the smallest fixes; their lines get security fixes${until}`;
  const longer = next === null ? '' : `, ${next.cycle} ${next.ends_at === null ? 'longer' : `until ${next.ends_at}`}`;
  return `${smallest}${longer}.`;
}

/** `ended on 2026-09-07`: of several lines the last day. */
function endInWords(ending: readonly { ends_at: string | null }[], now: Date): string {
  const days = ending.flatMap(({ ends_at }) => ends_at ?? []);
  if (days.length < ending.length) return 'has ended';
  const last = days.reduce((a, b) => (a < b ? b : a));
  const by = ending.length === 1 ? 'on' : 'by';
  return last < isoDay(now.getTime()) ? `ended ${by} ${last}` : `ends ${by} ${last}`;
}

/** Products that have the flaw, without those that they run on, each with its rows. */
export function vulnerableProducts({ affected_products }: Cve): [name: string, rows: Row[]][] {
  return [
    ...Map.groupBy(
      affected_products.filter(({ vulnerable }) => vulnerable),
      productName,
    ),
  ];
}

/** `2.3.1, 2.12.2 or 2.15.0` */
function oneOf(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;
}

const BY_NUMBERS = new Intl.Collator('en', { numeric: true });

/** Versions in an order to read: numbers by their value. */
export function inNumberOrder(versions: readonly string[]): string[] {
  return versions.toSorted(BY_NUMBERS.compare);
}
