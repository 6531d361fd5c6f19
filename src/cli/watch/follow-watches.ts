import { setTimeout as wait } from 'node:timers/promises';
import { styleText } from 'node:util';
import { toOneLine } from '../../analysis/display-text.ts';
import type { WatchEvent } from '../../analysis/watch/watch.ts';
import { subjectOfEvent } from '../../operations/watches/lib/event-feed-entries.ts';
import { watchLabel } from '../../operations/watches/lib/describe-watch.ts';
import { readStart } from '../../operations/watches/lib/read-start.ts';
import { presentEvent } from '../../operations/watches/lib/present-watch.ts';
import { formatCount } from '../../engine/summary.ts';
import { toJsonLine } from '../output.ts';
import { printToStderr } from '../report-failure.ts';
import { formatMinute } from '../terminal-text.ts';
import { withLocalWatches } from './with-local-watches.ts';

const POLL_MS = 2000;
const PAGE_SIZE = 100;

/** `sextant watch`: prints events as they come, until a signal ends it. `since`: what is printed first; null: nothing. */
export async function followWatches({ since, jsonLines }: { since: string | null; jsonLines: boolean }): Promise<void> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop);
  try {
    await withLocalWatches(async ({ account }) => {
      const book = await account.watches();
      const watches = await book.list();
      printToStderr(
        watches.length === 0
          ? 'nothing is watched: sextant watch add'
          : `following ${formatCount(watches.length, 'watch')}; Ctrl-C ends it. New events come from the service, or from sextant watch run.`,
      );
      const labels = new Map(watches.map((watch) => [watch.id, watchLabel(watch)]));
      const start = readStart(since ?? 'latest');
      const first = await book.events(null, { ...start, limit: since === null ? 1 : PAGE_SIZE });
      let page = since === null ? { ...first, events: [] } : first;
      for (;;) {
        for (const event of page.events)
          process.stdout.write(`${jsonLines ? toJsonLine(presentEvent(event)) : eventLines(event, labels)}\n`);
        if (!page.hasMore) await wait(POLL_MS, null, { signal: controller.signal });
        page = await book.events(null, { after: page.next, since: null, limit: PAGE_SIZE });
      }
    });
  } catch (error) {
    if (!controller.signal.aborted) throw error;
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop);
  }
}

/** What changed, and below it why it concerns the owner. */
function eventLines(event: WatchEvent, labels: ReadonlyMap<string, string>): string {
  const subject = subjectOfEvent({ about: event.about });
  const label = labels.get(event.watch_id) ?? event.watch_id;
  return [
    `${formatMinute(event.seen_at)}  ${styleText('bold', toOneLine(subject))}  ${toOneLine(event.what)}`,
    styleText('dim', `    ${toOneLine(event.why)} [${toOneLine(label)}]`),
  ].join('\n');
}
