import type { z } from 'zod';
import { THREAT_LEVELS, type ThreatLevel } from '../../analysis/indicators/threat-level.ts';
import type { ApiError } from '../../errors.ts';
import { bulkIocLookup } from '../../operations/indicators/bulk-ioc-lookup.ts';
import type { iocLookup } from '../../operations/indicators/ioc-lookup.ts';
import type { PageContext } from '../page.ts';
import { THREAT_LISTS } from './threat.ts';

/** A bulk call takes 50; the calls run one after another. */
const CALL_SIZE = 50;
export const MAX_CHECKED = 200;

/** What the lists say of one of many indicators. */
export interface CheckedIndicator {
  readonly value: string;
  readonly type: string | null;
  /** Null: it could not be looked up; `reason` says why. */
  readonly level: ThreatLevel | null;
  readonly score: number | null;
  readonly listedBy: readonly string[];
  readonly reason: string;
  /** Null: it could not be looked up. */
  readonly answer: Ioc | null;
}

type Ioc = z.output<typeof iocLookup.output>;
/** Rows of the bulk operation, which is made from the single one. */
interface BulkAnswer {
  readonly results: readonly { indicator: string; ioc: Ioc | null; error: { message: string } | null }[];
  readonly skipped_due_to_rate_limit: readonly string[];
}

/** Looks up indicators in canonical form, the worst first. `error`: why those that are missing were not looked up. */
export async function checkIndicators(
  values: readonly string[],
  context: PageContext,
): Promise<{ rows: CheckedIndicator[]; error: ApiError | null }> {
  const rows: CheckedIndicator[] = [];
  for (let from = 0; from < values.length; from += CALL_SIZE) {
    const { answer, error } = await context.tryAsk(bulkIocLookup, { indicators: values.slice(from, from + CALL_SIZE) });
    if (error !== null) return { rows: byLevel(rows), error };
    const { results, skipped_due_to_rate_limit: skipped } = answer as unknown as BulkAnswer;
    rows.push(...results.map(toRow));
    rows.push(...skipped.map((value) => unansweredRow(value, 'The quota of this hour is used up.')));
  }
  return { rows: byLevel(rows), error: null };
}

function toRow({ indicator, ioc, error }: BulkAnswer['results'][number]): CheckedIndicator {
  if (ioc === null) return unansweredRow(indicator, error?.message ?? '');
  const listed = Object.entries(ioc.sources).filter(([, { status }]) => status === 'listed');
  return {
    value: ioc.indicator,
    type: ioc.type,
    level: ioc.threat_level,
    score: ioc.threat_score,
    listedBy: listed.map(([id]) => THREAT_LISTS[id as keyof typeof THREAT_LISTS].name),
    reason:
      ioc.threat_reasons[0] ??
      (ioc.threat_level === 'unknown' ? 'Not all lists answered; none that did names it.' : ''),
    answer: ioc,
  };
}

function unansweredRow(value: string, reason: string): CheckedIndicator {
  return { value, type: null, level: null, score: null, listedBy: [], reason, answer: null };
}

function byLevel(rows: readonly CheckedIndicator[]): CheckedIndicator[] {
  const rank = ({ level }: CheckedIndicator): number =>
    level === null ? THREAT_LEVELS.length : THREAT_LEVELS.indexOf(level);
  return rows.toSorted((one, other) => rank(one) - rank(other) || (other.score ?? 0) - (one.score ?? 0));
}
