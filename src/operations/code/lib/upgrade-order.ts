import { compareCodeUnits } from '../../../analysis/versions/version-order.ts';
import { compareSeverity, type SEVERITIES } from '../../../analysis/severity.ts';

/** What says how soon an upgrade is due. */
interface Urgency {
  package: string;
  fixes: number;
  fixes_exploited: number;
  /** Of the flaws that it ends; null: no source gives one. */
  worst_severity: (typeof SEVERITIES)[number] | null;
  /** The highest EPSS score of these flaws; null: none has one. */
  max_epss: number | null;
}

/** From this probability of exploitation in 30 days on, a flaw comes before others of its severity. */
const LIKELY_EPSS = 0.1;

/**
 * What is known to be exploited first, then by the worst severity, within it what is likely to be exploited (EPSS of 10 % or more), then
 * what ends most flaws.
 */
export function compareUrgency(a: Urgency, b: Urgency): number {
  return (
    Number(b.fixes_exploited > 0) - Number(a.fixes_exploited > 0) ||
    compareWorst(a.worst_severity, b.worst_severity) ||
    Number(isLikely(b)) - Number(isLikely(a)) ||
    b.fixes - a.fixes ||
    compareCodeUnits(a.package, b.package)
  );
}

function compareWorst(a: Urgency['worst_severity'], b: Urgency['worst_severity']): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareSeverity(a, b);
}

function isLikely({ max_epss }: Urgency): boolean {
  return max_epss !== null && max_epss >= LIKELY_EPSS;
}

/** The worst of severities; null where there is none. */
export function worstSeverity(severities: readonly Urgency['worst_severity'][]): Urgency['worst_severity'] {
  return severities.toSorted(compareWorst)[0] ?? null;
}

/** The highest of EPSS scores; null where there is none. */
export function highestEpss(scores: readonly (number | null)[]): number | null {
  const known = scores.filter((score) => score !== null);
  return known.length === 0 ? null : Math.max(...known);
}
