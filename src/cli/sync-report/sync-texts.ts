import { toOneLine } from '../../analysis/display-text.ts';
import { formatCount } from '../../engine/summary.ts';
import type { FeedTally, SyncTally } from './sync-tally.ts';

const RESULT_TEXTS = { loaded: 'loaded', unchanged: 'unchanged', failed: 'failed', partial: 'loaded in part' } as const;
const MAX_PROBLEMS_SHOWN = 3;

/** Whether the feed is up to date after the sync. */
export function hasSucceeded({ result }: FeedTally): boolean {
  return result === 'loaded' || result === 'unchanged';
}

/** `loaded, 1,234 records, 2 skipped`. */
export function outcomeText({ result, records, skipped }: FeedTally): string {
  const parts = [RESULT_TEXTS[result], formatCount(records, 'record'), skipped === 0 ? null : `${skipped} skipped`];
  return parts.filter((part) => part !== null).join(', ');
}

/** One line for each of the first problems, and one for the number of others. */
export function problemLines({ problems }: FeedTally): string[] {
  const more = problems.length - MAX_PROBLEMS_SHOWN;
  return [
    ...problems.slice(0, MAX_PROBLEMS_SHOWN).map(toOneLine),
    ...(more > 0 ? [`and ${formatCount(more, 'more file')}`] : []),
  ];
}

/** The last line of the report. */
export function syncSummaryText({ feeds, done }: SyncTally): string {
  const failed = feeds.filter((feed) => !hasSucceeded(feed)).length;
  const what = done?.result === 'published' ? 'The new catalog answers from now on.' : 'Nothing new.';
  const seconds = done === null ? '' : ` ${done.seconds.toFixed(1)} s.`;
  const trouble =
    failed === 0 ? '' : ` ${formatCount(failed, 'feed')} failed; ${failed === 1 ? 'its' : 'their'} old data is kept.`;
  return feeds.length === 0 ? 'No feed is due.' : `${what}${trouble}${seconds}`;
}
